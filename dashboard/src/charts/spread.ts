/**
 * Moves labels apart so that neighbours are at least `gap` away from each other, inside `low` to `high`, each as near
 * to where it wants to be as its crowd allows. The order is kept. Labels that do not fit at all stand closer.
 */
export function spread(wanted: readonly number[], gap: number, low: number, high: number): number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a]! - wanted[b]! || a - b);
  const step = Math.min(gap, order.length > 1 ? (high - low) / (order.length - 1) : gap);
  // Crowds of labels that touch: each stands centred on the mean of what its members want.
  const crowds: { first: number; sum: number; size: number }[] = [];
  const topOf = (crowd: { sum: number; size: number }) => {
    const reach = step * (crowd.size - 1);
    return Math.min(Math.max(crowd.sum / crowd.size - reach / 2, low), high - reach);
  };
  order.forEach((label, position) => {
    let crowd = { first: position, sum: wanted[label]!, size: 1 };
    for (let before = crowds.at(-1); before !== undefined; before = crowds.at(-1)) {
      if (topOf(before) + step * before.size <= topOf(crowd)) break;
      crowds.pop();
      crowd = { first: before.first, sum: before.sum + crowd.sum, size: before.size + crowd.size };
    }
    crowds.push(crowd);
  });
  const placed = wanted.map(() => 0);
  for (const crowd of crowds) {
    for (let i = 0; i < crowd.size; i++) placed[order[crowd.first + i]!] = topOf(crowd) + step * i;
  }
  return placed;
}
