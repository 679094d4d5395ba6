// Numbers as people read them.

const grouped = new Intl.NumberFormat('en-US', {maximumFractionDigits: 0});
const two = new Intl.NumberFormat('en-US', {minimumFractionDigits: 2, maximumFractionDigits: 2});
const three = new Intl.NumberFormat('en-US', {maximumSignificantDigits: 3});

export function number(value) {
  if (value === null || value === undefined || Number.isNaN(value)) {
    return '-';
  }
  if (typeof value !== 'number') {
    return String(value);
  }
  if (Number.isInteger(value) || Math.abs(value) >= 100000) {
    return grouped.format(value);
  }
  return Math.abs(value) < 0.01 ? three.format(value) : two.format(value);
}

export function whole(value) {
  return value === null || value === undefined ? '-' : grouped.format(value);
}

export function percent(share, digits = 1) {
  if (share === null || share === undefined || !Number.isFinite(share)) {
    return '-';
  }
  const least = 10 ** -digits;
  return share > 0 && share * 100 < least / 2 ? `< ${least} %` : `${(share * 100).toFixed(digits)} %`;
}

// 596275623904 -> "596 G"
export function short(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) {
    return '-';
  }
  const steps = [[1e15, 'P'], [1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k']];
  for (const [size, letter] of steps) {
    if (Math.abs(value) >= size) {
      return `${three.format(value / size)} ${letter}`;
    }
  }
  return three.format(value);
}

// For ticks of an axis: "5k" rather than "5,000" where space is short.
export function tick(value) {
  return Math.abs(value) >= 10000 ? short(value).replace(' ', '') : grouped.format(value);
}

export function duration(nanoseconds) {
  if (nanoseconds === null || nanoseconds === undefined) {
    return '-';
  }
  const steps = [[1e9, 's'], [1e6, 'ms'], [1e3, 'us']];
  for (const [size, unit] of steps) {
    if (nanoseconds >= size) {
      return `${two.format(nanoseconds / size)} ${unit}`;
    }
  }
  return `${two.format(nanoseconds)} ns`;
}

export function signed(value, text) {
  return value > 0 ? `+${text}` : text;
}

export function plural(count, word) {
  return `${whole(count)} ${word}${count === 1 ? '' : 's'}`;
}
