import { type KeyboardEvent, type PointerEvent, useState } from "react";

/** Indexes of bars, both inclusive, with `from` <= `to`. */
export interface BrushRange {
  from: number;
  to: number;
}

export type BrushEnd = keyof BrushRange;

interface Draft extends BrushRange {
  /** The bar where a drag began; null while keys move the ends. */
  anchor: number | null;
}

/**
 * Selects a range of bars. The pointer drags a range, and a click selects one bar. A tap selects nothing, because it
 * may start a scroll. Arrow keys, Page Up and Down, Home and End move two handles; Enter applies the range, and Escape
 * discards it.
 */
export function useBrush(count: number, onApply: ((range: BrushRange) => void) | undefined) {
  const [draft, setDraft] = useState<Draft | null>(null);
  const last = count - 1;
  const range: BrushRange | null =
    draft === null ? null : { from: Math.min(draft.from, last), to: Math.min(draft.to, last) };
  const apply = (brushed: BrushRange) => {
    setDraft(null);
    onApply?.(brushed);
  };

  /** Handlers of the plot; `place` is the bar under the pointer. */
  const pointer = {
    down: (event: PointerEvent, place: number) => {
      if (onApply === undefined || event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setDraft({ from: place, to: place, anchor: place });
    },
    move: (place: number) => {
      if (draft === null || draft.anchor === null) return;
      setDraft({ from: Math.min(draft.anchor, place), to: Math.max(draft.anchor, place), anchor: draft.anchor });
    },
    up: (event: PointerEvent) => {
      if (range === null || draft?.anchor === null) return;
      if (event.pointerType === "touch" && range.from === range.to) setDraft(null);
      else apply(range);
    },
    cancel: () => setDraft(null),
  };

  /** Moves the handle of one end by a key, or applies or discards the range. */
  const onKeyDown = (event: KeyboardEvent, end: BrushEnd) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const bounds = range ?? { from: 0, to: last };
    if (event.key === "Enter" && range !== null) apply(range);
    else if (event.key === "Escape" && range !== null) setDraft(null);
    else {
      const step = steps[event.key];
      if (step === undefined) return;
      const place = Math.max(0, Math.min(last, step(bounds[end], last)));
      const movedRange =
        end === "from"
          ? { from: place, to: Math.max(place, bounds.to) }
          : { from: Math.min(place, bounds.from), to: place };
      setDraft({ ...movedRange, anchor: null });
    }
    event.preventDefault();
    event.stopPropagation();
  };

  return { range, isDragging: draft !== null && draft.anchor !== null, pointer, onKeyDown };
}

const steps: Record<string, (place: number, last: number) => number> = {
  ArrowLeft: (place) => place - 1,
  ArrowDown: (place) => place - 1,
  ArrowRight: (place) => place + 1,
  ArrowUp: (place) => place + 1,
  PageDown: (place, last) => place - Math.ceil(last / 10),
  PageUp: (place, last) => place + Math.ceil(last / 10),
  Home: () => 0,
  End: (_place, last) => last,
};
