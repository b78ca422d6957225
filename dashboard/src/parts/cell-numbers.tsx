/** The numbers of a cell: its estimates, its pairs, and how its games ended. */

import type { ComponentChildren } from "preact";
import type { CellReport, Point } from "../api";
import { lengthsPicture } from "../charts/lengths";
import { ELO } from "../charts/unit";
import { COLUMNS } from "../columns";
import { tableOf, type Table } from "../export/table";
import { brief, capital, count, elo, eloInterval, hundredths, inPercent, interval, percent, sequence } from "../format";
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

/** The estimates: what they are, their value, the interval at a fixed number of games, the sequence that holds at any look. */
function estimates(point: Point): (readonly [string, string, string, string])[] {
  if (point.rate === undefined) return [];
  const range = (low: number | undefined, high: number | undefined) => (point.normalised_elo === undefined ? "–" : eloInterval(low, high));
  return [
    ["Win rate in %", percent(point.rate), interval(point.low, point.high), sequence(point.cs_low, point.cs_high)],
    ["Elo difference", ELO.brief(point), eloInterval(point.elo_low, point.elo_high), eloInterval(point.cs_elo_low, point.cs_elo_high)],
    ["Normalised Elo", elo(point.normalised_elo), range(point.normalised_elo_low, point.normalised_elo_high), range(point.cs_normalised_elo_low, point.cs_normalised_elo_high)],
  ];
}

/** Numbers that stand elsewhere on the page. */
const ELSEWHERE = new Set(
  (
    "size weight agreement games_planned pairs ll ld wl dd wd ww rate low high cs_low cs_high elo elo_low elo_high cs_elo_low cs_elo_high normalised_elo " +
    "normalised_elo_low normalised_elo_high cs_normalised_elo_low cs_normalised_elo_high"
  ).split(" "),
);

const WRITE: Readonly<Record<(typeof COLUMNS)[number]["unit"], (value: number) => string>> = {
  text: String,
  flag: String,
  whole: count,
  fraction: inPercent,
  elo,
  real: (value) => (value < 10 ? hundredths(value) : brief(value)),
};

/** Other numbers of the result with what they mean. */
function others(point: Point): (readonly [string, string, string])[] {
  return COLUMNS.flatMap(({ name, unit, meaning }) => {
    const value = point[name as keyof Point];
    return typeof value !== "number" || ELSEWHERE.has(name) ? [] : [[capital(name.replaceAll("_", " ")), WRITE[unit](value), meaning] as const];
  });
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
