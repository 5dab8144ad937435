import { marked } from "@beatmarket/docs-search/excerpt.ts";
import { wordsOf } from "@beatmarket/docs-search/words.ts";
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from "react";
import { t } from "../../api/locale.ts";
import { words } from "../../display/words.tsx";
import type { Hit, HitGroup, SearchEntry } from "./ranking.ts";
import { remember } from "./recent.ts";
import classes from "./search-dialog.module.css";
import { useSearch } from "./use-search.ts";

/** The visible names of the groups. */
const groupNames = {
  Recent: "search.recent",
  "By id": "search.byId",
  "Go to": "search.goTo",
  Calls: "search.calls",
  Docs: "search.docs",
  "API keys": "search.apiKeys",
  Endpoints: "search.endpoints",
  Beats: "search.beats",
} as const satisfies Record<HitGroup, string>;

interface SearchDialogProps {
  /** The portal's pages and actions. */
  pages: readonly SearchEntry[];
  /** Opens an address of this origin. */
  onOpen: (address: string) => void;
  onClose: () => void;
}

/**
 * Searches pages, docs, calls, beats, the account's keys and endpoints, and ids. It is a combobox whose list is always
 * shown. The focus stays in the field (ARIA APG, Editable Combobox With List Autocomplete). It does not use Mantine,
 * because the pages of the reference, which are without Mantine, also load this dialog.
 */
export function SearchDialog({ pages, onOpen, onClose }: SearchDialogProps) {
  const [query, setQuery] = useState("");
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const { groups, failure, isSearching } = useSearch(query, pages);
  const dialog = useRef<HTMLDialogElement>(null);
  const listId = useId();
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);

  const hits = groups.flatMap((group) => group.hits);
  const keyOf = ({ group, id }: Hit): string => `${group} ${id}`;
  const groupId = (group: string): string => `${listId}-${group.replaceAll(" ", "-")}`;
  const optionId = (hit: Hit): string => `${listId}-${hits.indexOf(hit)}`;
  // The chosen hit stays chosen while the new hits contain it.
  const active = hits.find((hit) => keyOf(hit) === selectedId) ?? hits[0];
  const queryWords = wordsOf(query);

  const choose = (hit: Hit | undefined) => {
    if (hit === undefined) return;
    setSelectedId(keyOf(hit));
    document.getElementById(optionId(hit))?.scrollIntoView({ block: "nearest" });
  };
  const open = (hit: Hit, isElsewhere: boolean) => {
    remember(hit);
    if (isElsewhere && hit.address !== undefined) {
      window.open(hit.address, "_blank", "noopener");
      return;
    }
    dialog.current?.close();
    if (hit.run !== undefined) hit.run();
    else if (hit.address !== undefined) onOpen(hit.address);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const index = active === undefined ? -1 : hits.indexOf(active);
    const steps: Record<string, Hit | undefined> = {
      ArrowDown: hits[(index + 1) % hits.length],
      ArrowUp: hits.at(index - 1),
      PageDown: hits[Math.min(index + 5, hits.length - 1)],
      PageUp: hits[Math.max(index - 5, 0)],
    };
    if (event.key in steps) choose(steps[event.key]);
    else if (event.key === "Enter" && active !== undefined) open(active, event.ctrlKey || event.metaKey);
    else return;
    event.preventDefault();
  };

  const statusText = isSearching ? t("search.searching") : t("search.resultCount", { count: hits.length });
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it for the keyboard
    <dialog
      ref={dialog}
      className={classes.dialog}
      aria-label={t("search.search")}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
    >
      <div className={classes.field}>
        <input
          className={classes.input}
          type="text"
          role="combobox"
          aria-label={t("search.inputLabel")}
          placeholder={t("search.inputPlaceholder")}
          aria-expanded={hits.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active === undefined ? undefined : optionId(active)}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value);
            setSelectedId(null);
          }}
          onKeyDown={onKeyDown}
        />
        <button
          type="button"
          className={classes.close}
          onClick={() => dialog.current?.close()}
          aria-label={t("search.escCloseTheSearch")}
        >
          {t("search.esc")}
        </button>
      </div>
      {failure !== null && (
        <p className={classes.note} role="alert">
          {failure}
        </p>
      )}
      <div
        id={listId}
        role="listbox"
        aria-label={t("search.results")}
        className={classes.list}
        hidden={hits.length === 0}
      >
        {groups.map(({ group, hits: groupHits }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options has no element of its own
          <div key={group} role="group" aria-labelledby={groupId(group)}>
            <div id={groupId(group)} className={classes.group}>
              {t(groupNames[group])}
            </div>
            {groupHits.map((hit) => (
              <Option
                key={keyOf(hit)}
                id={optionId(hit)}
                hit={hit}
                words={queryWords}
                isActive={hit === active}
                onPoint={() => setSelectedId(keyOf(hit))}
                onOpen={(event) => open(hit, event.ctrlKey || event.metaKey)}
              />
            ))}
          </div>
        ))}
      </div>
      {hits.length === 0 && query.trim() !== "" && !isSearching && (
        <p className={classes.note}>{t("search.noResults", { query: query.trim() })}</p>
      )}
      <p className={classes.hidden} role="status">
        {query.trim() !== "" && statusText}
      </p>
      <p className={classes.keys} aria-hidden="true">
        {words("search.keyboardHint", { up: <kbd>↑</kbd>, down: <kbd>↓</kbd>, key: (name) => <kbd>{name}</kbd> })}
      </p>
    </dialog>
  );
}

interface OptionProps {
  id: string;
  hit: Hit;
  words: readonly string[];
  isActive: boolean;
  onPoint: () => void;
  onOpen: (event: MouseEvent) => void;
}

const Option = ({ id, hit, words, isActive, onPoint, onOpen }: OptionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles keys
  // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
  <div
    id={id}
    role="option"
    aria-selected={isActive}
    className={classes.option}
    onMouseMove={isActive ? undefined : onPoint}
    onClick={onOpen}
  >
    <span className={classes.title}>
      <Marked text={hit.title} words={words} />
    </span>
    {hit.detail !== "" && (
      <span className={hit.group === "Calls" ? classes.call : classes.detail}>
        <Marked text={hit.detail} words={words} />
      </span>
    )}
    {hit.excerpt !== undefined && hit.excerpt !== "" && (
      <span className={classes.excerpt}>
        <Marked text={hit.excerpt} words={words} />
      </span>
    )}
  </div>
);

/** A text with marked words. Its direction is automatic, because the text may come from other people. */
const Marked = ({ text, words }: { text: string; words: readonly string[] }) => (
  <bdi>
    {marked(text, words).map(({ text: part, isMatch }, index) =>
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name
      isMatch ? <mark key={index}>{part}</mark> : part,
    )}
  </bdi>
);
