// Which events get a column, when not all fit: those around the finding and around the reader, with gaps between.

/** A column of an event, or a gap of so many. */
export type Column = { at: number } | { skipped: number; next: number };

/** Marked events that always have a column. */
const MARKS = 8;
/** Columns around each marked one. */
const AROUND = 1;

export function fold(all: number[], marked: number[], current: number, room: number): Column[] {
  if (all.length <= room) return all.map((at) => ({ at }));
  const place = new Map(all.map((at, index) => [at, index]));
  const kept = new Set<number>();
  const marks = marked.map((at) => place.get(at)).filter((index) => index !== undefined);
  const around = marks.length * (2 * AROUND + 1) + marks.length + 2 > room - 3 ? 0 : AROUND;
  for (const index of marks.slice(0, MARKS)) {
    for (let near = index - around; near <= index + around; near++) if (near >= 0 && near < all.length) kept.add(near);
  }
  // The window moves in steps, so that the picture stands still while the reader walks through it.
  const here = place.get(current) ?? 0;
  const window = Math.max(3, room - kept.size - marks.length - 2);
  const step = Math.max(1, Math.floor(window / 2));
  const first = Math.max(
    0,
    Math.min(all.length - window, Math.floor(here / step) * step - Math.floor((window - step) / 2)),
  );
  for (let index = first; index < Math.min(all.length, first + window); index++) kept.add(index);
  kept.add(here);
  const columns: Column[] = [];
  let last = -1;
  for (const index of [...kept].sort((a, b) => a - b)) {
    if (index > last + 1) columns.push({ skipped: index - last - 1, next: all[last + 1] as number });
    columns.push({ at: all[index] as number });
    last = index;
  }
  if (last + 1 < all.length) columns.push({ skipped: all.length - last - 1, next: all[last + 1] as number });
  return columns;
}
