/** The numbers of a cell: its estimates, its pairs, and how its games ended. */

import type { CellReport, Point } from "../api";
import { ENDS, Lengths, LENGTHS_HEIGHT } from "../charts/lengths";
import { Paper, PAPER_WIDTH } from "../charts/paper";
import { PAPER, SCREEN } from "../charts/palette";
import type { Field } from "../export/table";
import { ELO } from "../charts/unit";
import { brief, count, elo, eloInterval, interval, inPercent, percent, sequence } from "../format";
import { StillChart } from "./chart";
import { DataTable } from "./data-table";
import { Exports } from "./exports";
import { FactsTable } from "./facts-table";
import { LinesLegend } from "./players-legend";
import { Words } from "./words";

/** The six results of a pair, in the order of the API. */
const PAIRS = ["both lost", "one lost, one drawn", "one won, one lost", "both drawn", "one won, one drawn", "both won"] as const;
const CATEGORIES = ["LL", "LD", "WL", "DD", "WD", "WW"] as const;

const decimal = (value: number | null) => (value === null ? "–" : value.toFixed(2));

/** The estimates: what they are, their value, the interval at a fixed number of games, the sequence that holds at any look. */
function estimates(point: Point): (readonly [string, string, string, string])[] {
  const { rate, normalised_elo: normalised } = point;
  if (rate === null) return [];
  return [
    ["Win rate in %", percent(rate), interval(point.low, point.high), sequence(point.cs_low, point.cs_high)],
    ["Elo difference", ELO.brief(point), eloInterval(point.elo_low, point.elo_high), eloInterval(point.cs_elo_low, point.cs_elo_high)],
    [
      "Normalised Elo",
      elo(normalised),
      normalised === null ? "–" : eloInterval(point.normalised_elo_low, point.normalised_elo_high),
      normalised === null ? "–" : eloInterval(point.cs_normalised_elo_low, point.cs_normalised_elo_high),
    ],
  ];
}

/** Other numbers of the result with what they mean. */
function others(point: Point): (readonly [string, string, string])[] {
  return [
    ["Games", count(point.games), `${count(point.wins)} won, ${count(point.draws)} drawn, ${count(point.losses)} lost by the case`],
    ["Draws", inPercent(point.draw_rate), "of the games of complete pairs"],
    ["Design effect", decimal(point.design_effect), "variance of pairs relative to independent games: below 1 the pairing saves games"],
    ["Effective games", point.effective_games === null ? "–" : count(point.effective_games), "independent games with the same precision"],
    ["E-value", point.e_value === null ? "–" : brief(point.e_value), "against 50\u00a0%: 20 or more is evidence at the level of 5\u00a0%, whenever one looks"],
    ["First player", inPercent(point.first_move_rate), "of the decided games were won by the first move"],
    ["Moves", point.mean_plies === null ? "–" : point.mean_plies.toFixed(1), "of a game on average, with those of the opening"],
    ["Void games", count(point.void_games), "ended without a result that counts; they are no losses"],
    ["Pairs set aside", count(point.pairs_aside), "failed again and again and are not handed out"],
  ];
}

const RAW = ["rate", "low", "high", "cs_low", "cs_high", "elo", "elo_low", "elo_high", "cs_elo_low", "cs_elo_high", "normalised_elo", "normalised_elo_low", "normalised_elo_high", "cs_normalised_elo_low",
  "cs_normalised_elo_high", "games", "wins", "draws", "losses", "pairs", "draw_rate", "design_effect", "effective_games", "e_value", "first_move_rate", "mean_plies", "void_games", "pairs_aside"] as const satisfies readonly (keyof Point)[];

export function CellNumbers({ report, name }: { report: CellReport; name: string }) {
  const { point, colours, shapes } = report;
  const raw = () => ({ columns: ["number", "value"], rows: RAW.map((key): Field[] => [key, point[key]]) });
  const total = Math.max(1, point.pairs);
  return (
    <section class="cell-numbers" aria-labelledby="numbers">
      <h2 id="numbers">The result in numbers</h2>
      <div class="tables">
        <FactsTable
          label="Estimates"
          name={`${name}, result`}
          columns={["Estimate", "Value", "Interval", "At any look"]}
          rows={estimates(point)}
          table={raw}
        />
        <FactsTable
          label="Pairs by result"
          name={`${name}, pairs`}
          columns={["Pairs of games", "Short", "Pairs", "%"]}
          rows={PAIRS.map((words, i) => [words, CATEGORIES[i], count(point.pair_counts[i]!), percent(point.pair_counts[i]! / total)])}
          table={() => ({ columns: ["result", "pairs"], rows: CATEGORIES.map((category, i): Field[] => [category, point.pair_counts[i]!]) })}
        />
        <FactsTable
          label="Results by colour"
          name={`${name}, colours`}
          columns={["The case as", "Score in %", "Interval", "Won", "Drawn", "Lost"]}
          rows={colours.map((own) => [
            own.side === "white" ? "White, who moves first" : "Black",
            percent(own.rate),
            interval(own.low, own.high),
            count(own.wins),
            count(own.draws),
            count(own.losses),
          ])}
          table={() => ({
            columns: ["side", "rate", "low", "high", "wins", "draws", "losses"],
            rows: colours.map((own): Field[] => [own.side, own.rate, own.low, own.high, own.wins, own.draws, own.losses]),
          })}
        />
        <FactsTable
          label="Wins by shape"
          name={`${name}, shapes`}
          columns={["Won by", "Case", "Baseline"]}
          rows={shapes.map(({ kind, wins, losses }) => [kind, count(wins), count(losses)])}
          table={() => ({ columns: ["kind", "case", "baseline"], rows: shapes.map(({ kind, wins, losses }): Field[] => [kind, wins, losses]) })}
        />
      </div>
      <DataTable
        kind="list further"
        label="Further numbers"
        columns={["Number", "Value", "Meaning"]}
        files={{ name: `${name}, further numbers`, table: () => ({ columns: ["number", "value", "meaning"], rows: others(point).map((row): Field[] => [...row]) }) }}
        captioned
      >
        {others(point).map(([term, value, words]) => (
          <tr key={term}>
            <th scope="row">{term}</th>
            <td>{value}</td>
            <td class="words">{words}</td>
          </tr>
        ))}
      </DataTable>
      {report.voids.length > 0 && (
        <FactsTable
          label="Why games are void"
          name={`${name}, void games`}
          columns={["Reason", "Games"]}
          rows={report.voids.map(({ words, games }) => [words, count(games)])}
          table={() => ({ columns: ["reason", "games"], rows: report.voids.map(({ words, games }): Field[] => [words, games]) })}
        />
      )}
      {point.missing !== undefined && (
        <p class="card">
          <Words of={point.missing.words} />
        </p>
      )}
      <GameLengths report={report} name={name} />
    </section>
  );
}

function GameLengths({ report: { lengths }, name }: { report: CellReport; name: string }) {
  if (lengths.length === 0) return null;
  const title = `${name}, lengths of games`;
  return (
    <figure class="panel running" aria-labelledby="lengths">
      <figcaption id="lengths">Lengths of the games</figcaption>
      <LinesLegend lines={ENDS.map(([, words, look]) => [look, `${words} by the case`] as const)} />
      <StillChart title="Games by their number of moves" height={LENGTHS_HEIGHT} draw={(width) => <Lengths lengths={lengths} width={width} theme={SCREEN} />} />
      <Exports
        name={title}
        table={() => ({ columns: ["plies", "wins", "draws", "losses"], rows: lengths.map(({ plies, wins, draws, losses }): Field[] => [plies, wins, draws, losses]) })}
        drawing={() => (
          <Paper title={title} height={LENGTHS_HEIGHT}>
            <Lengths lengths={lengths} width={PAPER_WIDTH} theme={PAPER} />
          </Paper>
        )}
      />
    </figure>
  );
}
