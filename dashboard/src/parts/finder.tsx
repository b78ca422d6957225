/** The cases of a large experiment: which are drawn, in which order, and how to find one. */

import { choosing, found, picked, pickOf, TOP } from "../charts/choice";
import type { Case, Panel } from "../charts/panels";
import type { Standing } from "../charts/standing";
import { count } from "../format";
import { TOPS, type View } from "../url";
import { options, Select, Switch } from "./elements";
import { Fold, useMore } from "./fold";
import { Mark } from "./legend";
import { TextField } from "./text-field";

/** Cases of a group at the beginning. */
const FIRST = 100;

/** A pause in typing, after which the words count. */
const TYPING_MS = 120;

/** With more groups they are folded until one is opened, or words are searched for. */
const UNFOLDED = 2;

interface FinderProps {
  cases: readonly Case[];
  /** The cases drawn, by key. */
  drawn: ReadonlyMap<string, Case>;
  standing: Standing;
  /** The panels shown, by which cases are picked. */
  panels: readonly Panel[];
  /** Whether the cases are points of a tune, ordered by their games. */
  isTune: boolean;
  view: View;
  go: (view: View, typed?: boolean) => void;
  /** The case pointed at, which the picture lets stand out. */
  point: (key: string | undefined) => void;
}

export function Finder({ cases, drawn, standing, panels, isTune, view, go, point }: FinderProps) {
  const listed = found(cases, standing, view);
  const groups = [...new Set(listed.map(({ group }) => group))];
  const only = (keys: readonly string[]) => go({ ...view, only: [...keys], hidden: [] });
  const search = (find: string) => go({ ...view, find, only: [], hidden: [] }, true);
  const toggle = (key: string) => {
    const keys = new Set(drawn.keys());
    if (!keys.delete(key)) keys.add(key);
    go(choosing(view, picked(cases, panels, standing, view), keys));
  };
  const choose = (pick: NonNullable<View["pick"]>) => go({ ...view, pick, only: [], hidden: [] });
  return (
    <div class="finder">
      <div class="row">
        {/* Typing does not wait for the pictures of each letter. */}
        <TextField type="search" label="Find cases" placeholder={`Find in ${count(cases.length)} cases`} value={view.find} pause={TYPING_MS} ask={search} />
        <Switch
          label="Cases drawn"
          value={view.only.length > 0 ? undefined : pickOf(view, cases.length)}
          options={[["top", isTune ? `${view.top ?? TOP} most played` : `Top ${view.top ?? TOP}`], ["differs", "Differs from 50\u00a0%"], ["all", "All"]]}
          choose={choose}
        />
        {view.only.length === 0 && pickOf(view, cases.length) === "top" && (
          <Select label={isTune ? "Most played" : "Best"} kind="order" value={view.top ?? TOP} options={options(TOPS)} choose={(top) => go({ ...view, pick: "top", top, hidden: [] })} />
        )}
        <Select
          label="Order"
          name="order"
          kind="order"
          value={view.sort}
          options={[["file", "of the file"], ["rate", isTune ? "by games" : "by win rate"], ["name", "by name"]]}
          choose={(sort) => go({ ...view, sort })}
        />
        <span class="drawn">
          {count(drawn.size)} of {count(cases.length)} cases drawn
          {drawn.size < cases.length && view.chart !== "cases" && ", the others as grey lines"}
        </span>
      </div>
      <div class="cases" role="region" aria-label="Cases" tabIndex={0}>
        {listed.length === 0 && <p class="none">No case has these words in its name.</p>}
        {groups.map((group) => (
          <Group
            key={group}
            name={group}
            isOpen={(groups.length <= UNFOLDED && !isTune) || view.find !== ""}
            members={listed.filter((member) => member.group === group)}
            drawn={drawn}
            toggle={toggle}
            only={(key) => only([key])}
            point={point}
          />
        ))}
      </div>
    </div>
  );
}

interface GroupProps extends Pick<FinderProps, "drawn" | "point"> {
  name: string;
  isOpen: boolean;
  members: readonly Case[];
  toggle: (key: string) => void;
  only: (key: string) => void;
}

function Group({ name: group, isOpen, members, drawn, toggle, only, point }: GroupProps) {
  const [first, more] = useMore(members.length, FIRST, "cases", `group ${group}`);
  return (
    <Fold name={`group ${group}`} atFirst={isOpen} summary={<>{group} <span class="number">{count(members.length)}</span></>}>
      <ul>
        {members.slice(0, first).map(({ key, name, short }) => {
          const owner = drawn.get(key);
          return (
            <li key={key} onPointerEnter={() => point(owner && key)} onPointerLeave={() => point(undefined)}>
              <label>
                <input type="checkbox" checked={owner !== undefined} onChange={() => toggle(key)} />
                <Mark look={owner?.look} />
                {short}
              </label>
              <button type="button" class="plain" aria-label={`Only ${name}`} onClick={() => only(key)}>only</button>
            </li>
          );
        })}
      </ul>
      {more}
    </Fold>
  );
}
