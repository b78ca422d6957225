/** All players on one scale, and the best case compared with the next ones, opening by opening. */

import type { Comparison, ExperimentSummary, RatedPlayer, RatingList } from "../api";
import type { Analysed } from "../charts/standing";
import { counted, elo, inPercent, probability, signed } from "../format";
import { useAll } from "../frame";
import { DataTable } from "./data-table";
import { Fold } from "./fold";

/** Half the width of the 95 % interval of what has this standard error: what follows each ±, as in the lists of other testers of engines. */
const halfWidth = (error: number) => 1.96 * error;

/** Rows in sight before somebody asks for all. */
const FIRST = 12;

interface RatingsProps {
  summary: ExperimentSummary;
  analysed: Analysed;
}

export function Ratings({ summary, analysed: { analysis } }: RatingsProps) {
  const { sweep, comparisons } = analysis;
  const lists = sweep.ratings;
  const fields = [...new Set(comparisons.map(fieldOf))];
  return (
    <>
      {lists.length > 0 && (
        <section class="ranking-part" aria-labelledby="ratings">
          <h2 id="ratings">Rating list</h2>
          {lists.map((list) => (
            <List key={list.budget} list={list} name={`${summary.name}, ratings, ${list.budget}`} title={lists.length > 1 ? list.budget : undefined} />
          ))}
          <Fold name="ratings, method" kind="method" summary="What the ratings mean">
            {lists.map((list) => (
              <p key={list.budget} class="meaning">
                {lists.length > 1 && `${list.budget}: `}
                {ratingWords(list)}
              </p>
            ))}
          </Fold>
        </section>
      )}
      {fields.length > 0 && (
        <section class="ranking-part" aria-labelledby="comparisons">
          <h2 id="comparisons">The best against the next</h2>
          {fields.map((field) => (
            <Pairwise key={field} comparisons={comparisons.filter((one) => fieldOf(one) === field)} name={summary.name} />
          ))}
          <Fold name="comparisons, method" kind="method" summary="What the columns mean">
          <p class="meaning">
            Both cases met the baseline from the same openings with the same seeds. So the luck of an opening is taken out of the difference. p is that of the other case
            being the best of all, whichever of them the games put first: cases with more than 0.05 may be the best.
          </p>
          </Fold>
        </section>
      )}
    </>
  );
}

const fieldOf = ({ best, against, budget }: Comparison) => JSON.stringify([best, against, budget]);

function List({ list, name, title }: { list: RatingList; name: string; title: string | undefined }) {
  const [all, setAll] = useAll(`ratings ${list.budget}`);
  const { players, anchor } = list;
  const ordered = placed(players);
  const rows = all ? ordered : ordered.slice(0, FIRST);
  return (
    <div>
      {title !== undefined && <h3>{title}</h3>}
      <DataTable
        kind="list"
        label={`Ratings with ${list.budget}`}
        columns={["#", "Player", "Elo", "Interval", "Stronger than the next"]}
        files={{
          name,
          table: () => ({
            columns: ["player", "elo", "error", "low", "high", "superiority", "connected"],
            rows: players.map((own) => [own.player, own.elo, own.error, own.low, own.high, own.superiority, String(own.connected)]),
          }),
        }}
        captioned
      >
        {rows.map((own) => (
          <tr key={own.player} data-player={own.player}>
            <td>{own.place ?? "–"}</td>
            <th scope="row">{own.player}</th>
            <td>
              <b>{elo(own.elo)}</b>
              {own.player !== anchor && ` ± ${Math.round(halfWidth(own.error))}`}
            </td>
            <td>{own.player === anchor ? "the anchor" : own.connected ? `${elo(own.low)} to ${elo(own.high)}` : "not linked to the anchor by games"}</td>
            <td>{inPercent(own.superiority)}</td>
          </tr>
        ))}
      </DataTable>
      {players.length > FIRST && (
        <button type="button" class="plain" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? `The first ${FIRST}` : `All ${counted(players.length, "player")}`}
        </button>
      )}
    </div>
  );
}

/**
 * The players with their places. Those that games do not link to the anchor come last and have none: only the prior rates them. The coordinator compares each player with the next of all, and so says nothing of the next place where that one has none.
 */
export function placed(players: readonly RatedPlayer[]): (RatedPlayer & { place: number | undefined })[] {
  const ranked = players.flatMap((own, i) => (own.connected ? [{ ...own, superiority: players[i + 1]?.connected === true ? own.superiority : null }] : []));
  const others = players.flatMap((own) => (own.connected ? [] : [{ ...own, superiority: null, place: undefined }]));
  return [...ranked.map((own, i) => ({ ...own, place: i + 1 })), ...others];
}

/** What the ratings mean, and whether one number for each player explains the games. */
export function ratingWords({ anchor, sizes, prior_draws: prior, fit }: RatingList): string {
  const misfits = fit.filter(([, { p_value }]) => p_value < 0.05).map(([size]) => size);
  const fits =
    fit.length === 0
      ? ""
      : misfits.length === 0
        ? " One number for each player explains the results."
        : ` One number for each player does not explain the results on size ${misfits.join(", ")}: some players beat others whom their rating does not make weaker.`;
  return (
    `Elo points above ${anchor} by the average score on size ${sizes.join(", ")}, which all pairings played; all games of all players are explained together. ` +
    `A draw counts as half a win. Each other player has ${counted(prior, "virtual draw")} against ${anchor}.` +
    " What follows ± is half the width of the 95\u00a0% interval." +
    fits
  );
}

function Pairwise({ comparisons, name }: { comparisons: readonly Comparison[]; name: string }) {
  const { best, against, budget } = comparisons[0]!;
  return (
    <DataTable
      kind="list"
      label={`${best} against ${against}, ${budget}, less other cases`}
      columns={[`${best} less`, "Points", "Interval", "Openings in common", "p", "Common openings"]}
      files={{
        name: `${name}, ${best} against the next, ${against}, ${budget}`,
        table: () => ({
          columns: ["best", "case", "against", "budget", "difference", "low", "high", "openings", "p_value", "adjusted_p_value", "saved"],
          rows: comparisons.map((own) => [own.best, own.case, against, budget, own.difference, own.low, own.high, own.openings, own.p_value, own.adjusted_p_value, own.saved]),
        }),
      }}
      captioned
    >
      {comparisons.map((own) => (
        <tr key={own.case} data-case={own.case}>
          <th scope="row">{own.case}</th>
          <td>
            <b>{signed(own.difference)}</b>
          </td>
          <td>
            {signed(own.low)} to {signed(own.high)}
          </td>
          <td>{counted(own.openings, "opening")}</td>
          <td>{probability(own.adjusted_p_value)}</td>
          <td>{savedWords(own.saved)}</td>
        </tr>
      ))}
    </DataTable>
  );
}

/** What common openings do to the variance of a difference, in words. */
export function savedWords(saved: number | null): string {
  if (saved === null) return "–";
  return saved >= 0 ? `save ${Math.round(100 * saved)}\u00a0% of the games` : `cost ${Math.round(-100 * saved)}\u00a0% more games`;
}
