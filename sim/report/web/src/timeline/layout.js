// Where lanes and rows lie on the canvas.

const axis = 26;
const gap = 8;

export function make_layout(lanes) {
  const rows = lanes[0].rows.length;
  const height = Math.max(8, Math.min(20, Math.floor(560 / (rows * lanes.length))));
  const lane_height = rows * height;
  const top = (lane) => axis + lane * (lane_height + gap);
  return {
    axis, rows, row_height: height, lane_height, lanes: lanes.length,
    height: top(lanes.length - 1) + lane_height + 2,
    lane_top: top,
    row_top: (lane, row) => top(lane) + row * height,
    // {lane, row} at this height, the nearest where it is between two.
    at: (y) => {
      const lane = Math.min(lanes.length - 1, Math.max(0, Math.floor((y - axis + gap / 2) / (lane_height + gap))));
      return {lane, row: Math.min(rows - 1, Math.max(0, Math.floor((y - top(lane)) / height)))};
    },
  };
}
