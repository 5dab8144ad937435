import { useEffect, useId, useRef, useState } from "react";
import {
  adjacentKey,
  camelotCode,
  compatibleKeys,
  hourOf,
  isMinor,
  type KeyPlace,
  keyName,
  keyPlaces,
  readKey,
  shortKeyName,
} from "./circle-of-fifths.ts";
import classes from "./key-wheel.module.css";

interface KeyWheelProps {
  label: string;
  /** The keys as typed. */
  keys: readonly string[];
  /** Whether a key also matches its compatible keys. */
  takesCompatible: boolean;
  isMultiple: boolean;
  onChange: (keys: string[]) => void;
}

/**
 * The circle of fifths as a list box: major keys outside, each with its relative minor inside. Arrow keys,
 * Home and End move, Space and Enter select.
 */
export function KeyWheel({ label, keys, takesCompatible, isMultiple, onChange }: KeyWheelProps) {
  const selectedPlaces = keys.map(readKey).filter((place) => place !== undefined);
  const lit = takesCompatible ? selectedPlaces.flatMap(compatibleKeys) : [];
  const [current, setCurrent] = useState<KeyPlace>(selectedPlaces[0] ?? 0);
  const first = useRef(current);
  const options = useRef(new Map<KeyPlace, SVGGElement>());
  const helpId = useId();
  // The wheel takes the focus when it opens.
  useEffect(() => options.current.get(first.current)?.focus(), []);
  const move = (place: KeyPlace) => {
    setCurrent(place);
    options.current.get(place)?.focus();
  };
  const toggle = (place: KeyPlace) => {
    const otherKeys = isMultiple ? keys.filter((key) => readKey(key) !== place) : [];
    onChange(selectedPlaces.includes(place) ? otherKeys : [...otherKeys, keyName(place)]);
  };
  return (
    <div className={classes.wheel}>
      <div role="listbox" aria-label={label} aria-multiselectable={isMultiple} aria-describedby={helpId} tabIndex={-1}>
        <svg viewBox="-160 -160 320 320" role="presentation">
          {keyPlaces.map((place) => {
            const isSelected = selectedPlaces.includes(place);
            const [x, y] = middleOf(place);
            return (
              <g
                key={place}
                ref={(element) => {
                  if (element !== null) options.current.set(place, element);
                }}
                role="option"
                aria-selected={isSelected}
                aria-label={nameOf(place) + (lit.includes(place) && !isSelected ? ", compatible" : "")}
                tabIndex={place === current ? 0 : -1}
                className={classes.segment}
                data-lit={lit.includes(place) || undefined}
                onClick={() => {
                  setCurrent(place);
                  toggle(place);
                }}
                onKeyDown={(event) => {
                  const next = adjacentKey(place, event.key);
                  if (next !== undefined) move(next);
                  else if (event.key === " " || event.key === "Enter") toggle(place);
                  else return;
                  event.preventDefault();
                }}
              >
                <path d={outlineOf(place)} />
                <text>
                  <tspan x={x} y={y - 3} className={classes.note}>
                    {shortKeyName(place)}
                  </tspan>{" "}
                  <tspan x={x} y={y + 12} className={classes.code}>
                    {camelotCode(place)}
                  </tspan>
                </text>
              </g>
            );
          })}
        </svg>
      </div>
      <p id={helpId} className={classes.help}>
        {isMultiple && "Several may be selected. "}
        {takesCompatible && "The relative and the neighbors of the selected key light up. "}
        Arrow keys move, Space selects.
      </p>
    </div>
  );
}

/** The accessible name begins with the visible text, for voice control: `Am 8A, A minor`. */
const nameOf = (place: KeyPlace): string => `${shortKeyName(place)} ${camelotCode(place)}, ${keyName(place)}`;

const radii = { major: [108, 156], minor: [58, 108] } as const;
const radiiOf = (place: KeyPlace) => (isMinor(place) ? radii.minor : radii.major);

/** The point on a circle of this radius, `hours` clockwise from the top. */
function pointAt(hours: number, radius: number): [x: number, y: number] {
  const angle = (hours / 12) * 2 * Math.PI;
  return [round(Math.sin(angle) * radius), round(-Math.cos(angle) * radius)];
}

const round = (number: number): number => Math.round(number * 100) / 100;

function middleOf(place: KeyPlace): [x: number, y: number] {
  const [inner, outer] = radiiOf(place);
  return pointAt(hourOf(place), (inner + outer) / 2);
}

/** A segment of a ring, an hour wide. */
function outlineOf(place: KeyPlace): string {
  const [inner, outer] = radiiOf(place);
  const [from, to] = [hourOf(place) - 0.5, hourOf(place) + 0.5];
  return [
    `M ${pointAt(from, inner).join(" ")}`,
    `L ${pointAt(from, outer).join(" ")}`,
    `A ${outer} ${outer} 0 0 1 ${pointAt(to, outer).join(" ")}`,
    `L ${pointAt(to, inner).join(" ")}`,
    `A ${inner} ${inner} 0 0 0 ${pointAt(from, inner).join(" ")}`,
    "Z",
  ].join(" ");
}
