// Undoes what the writer of the page did to long lists of whole numbers (html_pack.cpp).
//
// {"packed": TEXT, "step": s, "row": k}: each number is the difference to the number s before it (s = 0: itself), as
// digits of 5 bits from DIGITS, lowest first; a digit of 32 and more says that another follows. The lowest bit
// of a number is its sign. With "row", each k numbers are a list of their own.

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const value_of = new Map([...digits].map((digit, value) => [digit, value]));

function numbers({packed, step}) {
  const found = [];
  let at = 0;
  while (at < packed.length) {
    let number = 0;
    let scale = 1;
    let digit;
    do {
      digit = value_of.get(packed[at++]);
      number += (digit & 31) * scale;
      scale *= 32;
    } while (digit >= 32);
    const difference = number % 2 === 0 ? number / 2 : -(number - 1) / 2;
    found.push(difference + (step > 0 && found.length >= step ? found[found.length - step] : 0));
  }
  return found;
}

function rows(list, length) {
  return Array.from({length: list.length / length}, (_, i) => list.slice(i * length, (i + 1) * length));
}

export function unpack(value) {
  if (value === null || typeof value !== 'object') {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map(unpack);
  }
  if (typeof value.packed === 'string' && typeof value.step === 'number') {
    const list = numbers(value);
    return value.row ? rows(list, value.row) : list;
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unpack(inner)]));
}
