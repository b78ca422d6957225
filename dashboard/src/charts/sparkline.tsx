/** Counts over time as bars, the oldest first. */

import { count } from "../format";

const BAR = 3;
const STEP = 4;
const HEIGHT = 24;

export function Sparkline({ games, label }: { games: readonly number[]; label: string }) {
  const most = Math.max(1, ...games);
  const width = STEP * games.length - (STEP - BAR);
  const total = games.reduce((sum, value) => sum + value, 0);
  return (
    <svg class="sparkline" width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={`${label}: ${count(total)}`}>
      <path d={`M0 ${HEIGHT - 0.5}H${width}`} class="base" />
      {games.map((value, i) => {
        const height = value === 0 ? 0 : Math.max(1.5, (value / most) * (HEIGHT - 1));
        return height > 0 && <rect key={i} x={STEP * i} y={HEIGHT - height} width={BAR} height={height} />;
      })}
    </svg>
  );
}
