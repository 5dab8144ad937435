/**
 * A key's place on the circle of fifths: 0 to 11 the major keys from C by fifths, 12 to 23 their relative minor keys.
 */
export type KeyPlace = number;

const majors = ["C", "G", "D", "A", "E", "B", "F#", "C#", "G#", "D#", "A#", "F"] as const;
const minors = ["A", "E", "B", "F#", "C#", "G#", "D#", "A#", "F", "C", "G", "D"] as const;
const pitches: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };
/** The positions on the circle, like the hours of a clock. */
const hours = 12;
/** The semitones of an octave. */
const semitones = 12;
/** The hour of C major is 0, and its Camelot number 8: one more than the offset. */
const camelotOffset = 7;

/** All places, the major keys first. */
export const keyPlaces: readonly KeyPlace[] = Array.from({ length: 2 * hours }, (_, place) => place);

export const isMinor = (place: KeyPlace): boolean => place >= hours;

/**
 * The position on the circle: 0 at the top, clockwise by fifths. A minor key has the position of its relative major.
 */
export const hourOf = (place: KeyPlace): number => place % hours;

/** The name of a key as beats show it: `C# minor`. */
export const keyName = (place: KeyPlace): string =>
  isMinor(place) ? `${minors[hourOf(place)]} minor` : `${majors[place]} major`;

/** The name of a key as the wheel shows it: `C#m`. */
export const shortKeyName = (place: KeyPlace): string =>
  isMinor(place) ? `${minors[hourOf(place)]}m` : `${majors[place]}`;

/** The name of a key in Camelot notation: A minor is 8A, C major 8B. */
export const camelotCode = (place: KeyPlace): string =>
  `${((hourOf(place) + camelotOffset) % hours) + 1}${isMinor(place) ? "A" : "B"}`;

/** The key itself, its relative, and its two neighbours in the same mode. */
export function compatibleKeys(place: KeyPlace): KeyPlace[] {
  const ringStart = place - hourOf(place);
  const relative = (place + hours) % (2 * hours);
  const next = ringStart + ((hourOf(place) + 1) % hours);
  const previous = ringStart + ((hourOf(place) + hours - 1) % hours);
  return [place, relative, next, previous];
}

/**
 * The place of a typed key: `A minor`, `Am`, `Bb major`, `8A`. Undefined for other texts. The explorer sends other
 * texts unchecked, and the API checks them.
 */
export function readKey(text: string): KeyPlace | undefined {
  const camelot = /^(0?[1-9]|1[0-2])([AB])$/i.exec(text.trim());
  if (camelot !== null) {
    const hour = (Number(camelot[1]) - 1 - camelotOffset + hours) % hours;
    return camelot[2]?.toUpperCase() === "A" ? hour + hours : hour;
  }
  const spelled = /^([A-G])(#|♯|b|♭)?(?:(m)| *(?:-? *(major|maj|minor|min)))$/i.exec(text.trim());
  const [, letter = "", sign = "", m, mode] = spelled ?? [];
  // `AM` is not a key.
  if (spelled === null || m === "M") return undefined;
  const pitch = (pitches[letter.toUpperCase()] ?? 0) + shiftOf(sign) + semitones;
  const isMinorKey = m !== undefined || /^min/i.test(mode ?? "");
  // Seven semitones are a fifth, and a relative major is three semitones above its minor.
  return isMinorKey ? hours + (((pitch + 3) * 7) % hours) : (pitch * 7) % hours;
}

/** The semitones by which a sign moves a note. */
function shiftOf(sign: string): number {
  if (sign === "") return 0;
  return /[#♯]/.test(sign) ? 1 : -1;
}

/**
 * The place after a key of the keyboard. Left and right move round the circle, up and down between the rings, Home and
 * End to the first and last place of the ring. Undefined for other keys.
 */
export function adjacentKey(place: KeyPlace, keyboardKey: string): KeyPlace | undefined {
  const ringStart = place - hourOf(place);
  switch (keyboardKey) {
    case "ArrowRight":
      return ringStart + ((hourOf(place) + 1) % hours);
    case "ArrowLeft":
      return ringStart + ((hourOf(place) + hours - 1) % hours);
    case "ArrowUp":
      return hourOf(place);
    case "ArrowDown":
      return hourOf(place) + hours;
    case "Home":
      return ringStart;
    case "End":
      return ringStart + hours - 1;
    default:
      return undefined;
  }
}
