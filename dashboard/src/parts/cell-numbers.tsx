/** The numbers of a cell: its estimates, its pairs, and how its games ended. */

import type { ComponentChildren } from "preact";
import type { CellReport, Point } from "../api";
import { lengthsPicture } from "../charts/lengths";
import { ELO } from "../charts/unit";
import { tableOf, type Table } from "../export/table";
import { brief, count, elo, eloInterval, hundredths, inPercent, interval, percent, sequence } from "../format";
import { DataTable, type Column } from "./data-table";
import { Section, Words } from "./elements";
import { PictureFrame } from "./picture";

/** The six results of a pair, in the order of the API. */
const PAIRS = [
  ["both lost", "LL"],
  ["one lost, one drawn", "LD"],
  ["one won, one lost", "WL"],
  ["both drawn", "DD"],
  ["one won, one drawn", "WD"],
  ["both won", "WW"],
] as const;

const orNone = (value: number | null, write: (value: number) => string) => (value === null ? "–" : write(value));

/** The estimates: what they are, their value, the interval at a fixed number of games, the sequence that holds at any look. */
function estimates(point: Point): (readonly [string, string, string, string])[] {
  const { rate, normalised_elo: normalised } = point;
  if (rate === null) return [];
  const range = (low: number | null, high: number | null) => (normalised === null ? "–" : eloInterval(low, high));
  return [
    ["Win rate in %", percent(rate), interval(point.low, point.high), sequence(point.cs_low, point.cs_high)],
    ["Elo difference", ELO.brief(point), eloInterval(point.elo_low, point.elo_high), eloInterval(point.cs_elo_low, point.cs_elo_high)],
    ["Normalised Elo", elo(normalised), range(point.normalised_elo_low, point.normalised_elo_high), range(point.cs_normalised_elo_low, point.cs_normalised_elo_high)],
  ];
}

/** Other numbers of the result with what they mean. */
function others(point: Point): (readonly [string, string, string])[] {
  return [
    ["Games", count(point.games), `${count(point.wins)} won, ${count(point.draws)} drawn, ${count(point.losses)} lost by the case`],
    ["Draws", inPercent(point.draw_rate), "of the games of complete pairs"],
    ["Design effect", orNone(point.design_effect, hundredths), "variance of pairs relative to independent games: below 1 the pairing saves games"],
    ["Effective games", orNone(point.effective_games, count), "independent games with the same precision"],
    ["E-value", orNone(point.e_value, brief), "against 50\u00a0%: 20 or more is evidence at the level of 5\u00a0%, whenever one looks"],
    ["First player", inPercent(point.first_move_rate), "of the decided games were won by the first move"],
    ["Moves", orNone(point.mean_plies, (plies) => plies.toFixed(1)), "of a game on average, with those of the opening"],
    ["Void games", count(point.void_games), "ended without a result that counts; they are no losses"],
    ["Pairs set aside", count(point.pairs_aside), "failed again and again and are not handed out"],
  ];
}

/** The numbers of a point that are no lists and no words. */
const rawTable = (point: Point): Table => ({
  columns: ["number", "value"],
  rows: Object.entries(point).flatMap(([name, value]) => (typeof value === "number" || value === null ? [[name, value]] : [])),
});

interface FactsTableProps<T> {
  label: string;
  /** The name of its files. */
  name: string;
  rows: readonly T[];
  columns: readonly Column<T>[];
  table: () => Table;
}

const FactsTable = <T,>({ name, table, ...shown }: FactsTableProps<T>): ComponentChildren => <DataTable kind="list" files={{ name, table }} captioned {...shown} />;

export function CellNumbers({ report, name }: { report: CellReport; name: string }) {
  const { point, colours, shapes, voids, lengths } = report;
  const pairs = PAIRS.map(([words, short], i) => ({ words, result: short, pairs: point.pair_counts[i]! }));
  return (
    <Section id="numbers" kind="cell-numbers" title="The result in numbers">
      <div class="tables">
        <FactsTable
          label="Estimates"
          name={`${name}, result`}
          rows={estimates(point)}
          columns={["Estimate", "Value", "Interval", "At any look"].map((heading, i) => [heading, (row: readonly string[]) => row[i]] as const)}
          table={() => rawTable(point)}
        />
        <FactsTable
          label="Pairs by result"
          name={`${name}, pairs`}
          rows={pairs}
          columns={[
            ["Pairs of games", ({ words }) => words],
            ["Short", ({ result }) => result],
            ["Pairs", (own) => count(own.pairs)],
            ["%", (own) => percent(own.pairs / Math.max(1, point.pairs))],
          ]}
          table={() => tableOf(pairs, ["result", "pairs"])}
        />
        <FactsTable
          label="Results by colour"
          name={`${name}, colours`}
          rows={colours}
          columns={[
            ["The case as", ({ side }) => (side === "white" ? "White, who moves first" : "Black")],
            ["Score in %", ({ rate }) => percent(rate)],
            ["Interval", ({ low, high }) => interval(low, high)],
            ["Won", ({ wins }) => count(wins)],
            ["Drawn", ({ draws }) => count(draws)],
            ["Lost", ({ losses }) => count(losses)],
          ]}
          table={() => tableOf(colours, ["side", "rate", "low", "high", "wins", "draws", "losses"])}
        />
        <FactsTable
          label="Wins by shape"
          name={`${name}, shapes`}
          rows={shapes}
          columns={[
            ["Won by", ({ kind }) => kind],
            ["Case", ({ wins }) => count(wins)],
            ["Baseline", ({ losses }) => count(losses)],
          ]}
          table={() => tableOf(shapes, ["kind", ["case", ({ wins }) => wins], ["baseline", ({ losses }) => losses]])}
        />
      </div>
      <FactsTable
        label="Further numbers"
        name={`${name}, further numbers`}
        rows={others(point)}
        columns={[
          ["Number", ([term]) => term],
          ["Value", ([, value]) => value],
          ["Meaning", ([, , words]) => words, "words"],
        ]}
        table={() => ({ columns: ["number", "value", "meaning"], rows: others(point) })}
      />
      {voids.length > 0 && (
        <FactsTable
          label="Why games are void"
          name={`${name}, void games`}
          rows={voids}
          columns={[
            ["Reason", ({ words }) => words],
            ["Games", ({ games }) => count(games)],
          ]}
          table={() => tableOf(voids, [["reason", ({ words }) => words], "games"])}
        />
      )}
      {point.missing !== undefined && (
        <p class="card">
          <Words of={point.missing.words} />
        </p>
      )}
      {lengths.length > 0 && <PictureFrame picture={lengthsPicture(lengths)} name={`${name}, lengths of games`} />}
    </Section>
  );
}
