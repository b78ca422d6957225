/** All players on one scale, and the best case compared with the next ones, opening by opening. */

import type { Comparison, RatedPlayer, RatingList } from "../api";
import type { Analysed } from "../charts/standing";
import { tableOf } from "../export/table";
import { counted, elo, inPercent, probability, signed } from "../format";
import { DataTable } from "./data-table";
import { Section } from "./elements";
import type { ExperimentView } from "./experiment-view";
import { Fold, useMore } from "./fold";

/** Half the width of the 95 % interval of what has this standard error: what follows each ±, as in the lists of other testers of engines. */
const halfWidth = (error: number) => 1.96 * error;

/** Rows at the beginning. */
const FIRST = 12;

export function Ratings({ report: { summary }, analysed: { analysis } }: ExperimentView & { analysed: Analysed }) {
  const { sweep, comparisons } = analysis;
  const lists = sweep.ratings;
  const fields = [...new Set(comparisons.map(fieldOf))];
  return (
    <>
      {lists.length > 0 && (
        <Section id="ratings" title="Rating list">
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
        </Section>
      )}
      {fields.length > 0 && (
        <Section id="comparisons" title="The best against the next">
          {fields.map((field) => (
            <Pairwise key={field} comparisons={comparisons.filter((one) => fieldOf(one) === field)} name={summary.name} />
          ))}
          <Fold name="comparisons, method" kind="method" summary="What the columns mean">
            <p class="meaning">
              Both cases met the baseline from the same openings with the same seeds. So the luck of an opening is taken out of the difference. The same games chose the
              best case, so its lead looks too large, and no interval around it would hold. p is that of the other case being the best of all, whichever of them the games put first: cases with more than 0.05 may be the best.
            </p>
          </Fold>
        </Section>
      )}
    </>
  );
}

const fieldOf = ({ best, against, budget }: Comparison) => JSON.stringify([best, against, budget]);

function List({ list, name, title }: { list: RatingList; name: string; title: string | undefined }) {
  const { players, anchor } = list;
  const [first, more] = useMore(players.length, FIRST, "players", `ratings ${list.budget}`);
  const range = ({ player, connected, low, high }: RatedPlayer) => (player === anchor ? "the anchor" : connected ? `${elo(low)} to ${elo(high)}` : "not linked to the anchor by games");
  return (
    <div>
      {title !== undefined && <h3>{title}</h3>}
      <DataTable
        kind="list"
        label={`Ratings with ${list.budget}`}
        rows={placed(players).slice(0, first)}
        rowProps={({ player }) => ({ key: player, "data-player": player })}
        named={1}
        columns={[
          ["#", ({ place }) => place ?? "–"],
          ["Player", ({ player }) => player],
          ["Elo", (own) => <><b>{elo(own.elo)}</b>{own.player !== anchor && ` ± ${Math.round(halfWidth(own.error))}`}</>],
          ["Interval", range],
          ["Stronger than the next", ({ superiority }) => inPercent(superiority)],
        ]}
        files={{ name, table: () => tableOf(players, ["player", "elo", "error", "low", "high", "superiority", ["connected", ({ connected }) => String(connected)]]) }}
        captioned
      />
      {more}
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
      rows={comparisons}
      rowProps={(own) => ({ key: own.case, "data-case": own.case })}
      columns={[
        [`${best} less`, (own) => own.case],
        ["Points", ({ difference }) => <b>{signed(difference)}</b>],
        ["Openings in common", ({ openings }) => counted(openings, "opening")],
        ["p", ({ adjusted_p_value }) => probability(adjusted_p_value)],
        ["Common openings", ({ saved }) => savedWords(saved)],
      ]}
      files={{
        name: `${name}, ${best} against the next, ${against}, ${budget}`,
        table: () => tableOf(comparisons, ["best", "case", "against", "budget", "difference", "openings", "p_value", "adjusted_p_value", "saved"]),
      }}
      captioned
    />
  );
}

/** What common openings do to the variance of a difference, in words. */
export function savedWords(saved: number | null): string {
  if (saved === null) return "–";
  return saved >= 0 ? `save ${Math.round(100 * saved)}\u00a0% of the games` : `cost ${Math.round(-100 * saved)}\u00a0% more games`;
}
