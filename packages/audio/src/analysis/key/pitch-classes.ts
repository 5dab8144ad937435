/** The octave is divided into this many places of 10 cents. Place 0 is C. */
const places = 120;
const placesPerSemitone = places / 12;
// The range of bass notes and chords. Above are mostly overtones and noise.
const lowestHertz = 25;
const highestHertz = 3_500;
/** The frequency of A4 in hertz. */
const concertPitch = 440;
// A peak also counts for the notes at 1/2, 1/3 and 1/4 of its frequency, since it may be a partial of them. The weight
// decreases by the decay with each partial (Gómez 2006).
const partials = 4;
const partialDecay = 0.6;
/** Peaks below this share of the strongest peak of a frame are ignored. */
const minPeakShare = 0.01;
/** A frame whose strongest bin is below this is silent: -100 dBFS in a frame of 4,096 samples. */
const minMagnitude = 0.01;
/** The reach of the spectral envelope on each side of a bin. Whitening divides by this envelope. */
const envelopeHertz = 100;
/** 0: no whitening. 1: a flat spectrum. Between them, a bass still raises the weight of the root. */
const whitening = 0.5;

/**
 * A harmonic pitch class profile (HPCP) of a whole file: the weights of spectral peaks, whitened, by their place in the
 * octave. Places are finer than semitones, so that the tuning can be measured at the end.
 */
export class PitchClasses {
  readonly #hertzPerBin: number;
  readonly #sum = new Float64Array(places);
  readonly #frame = new Float64Array(places);

  constructor(hertzPerBin: number) {
    this.#hertzPerBin = hertzPerBin;
  }

  /** Adds the magnitudes of a frame. All frames have the same weight, except silent frames. */
  add(magnitudes: Float64Array): void {
    const frame = this.#frame.fill(0);
    const strongest = magnitudes.reduce((maximum, magnitude) => Math.max(maximum, magnitude), 0);
    if (strongest < minMagnitude) return;
    const levels = envelope(magnitudes, Math.max(1, Math.round(envelopeHertz / this.#hertzPerBin)));
    const last = Math.min(magnitudes.length - 2, Math.floor(highestHertz / this.#hertzPerBin));
    for (let bin = Math.max(1, Math.ceil(lowestHertz / this.#hertzPerBin)); bin <= last; bin++) {
      const left = magnitudes[bin - 1] ?? 0;
      const middle = magnitudes[bin] ?? 0;
      const right = magnitudes[bin + 1] ?? 0;
      if (middle <= left || middle < right || middle < minPeakShare * strongest) continue;
      const peak = interpolatePeak(left, middle, right);
      const weight = peak.magnitude / (levels[bin] ?? 1) ** whitening;
      this.#addPeak((bin + peak.offset) * this.#hertzPerBin, weight);
    }
    const maxWeight = frame.reduce((maximum, weight) => Math.max(maximum, weight), 0);
    if (maxWeight === 0) return;
    for (let place = 0; place < places; place++) {
      this.#sum[place] = (this.#sum[place] ?? 0) + (frame[place] ?? 0) / maxWeight;
    }
  }

  /** The weights of the twelve pitch classes from C, in the tuning of the file. Null if there were no tones. */
  profile(): Float64Array | null {
    const detune = this.#detune();
    const profile = new Float64Array(12);
    for (let place = 0; place < places; place++) {
      const semitones = (place - detune) / placesPerSemitone;
      const nearest = Math.round(semitones);
      const weight = Math.cos(Math.PI * (semitones - nearest)) ** 2;
      const pitch = (nearest + 12) % 12;
      profile[pitch] = (profile[pitch] ?? 0) + weight * (this.#sum[place] ?? 0);
    }
    return profile.some((weight) => weight > 0) ? profile : null;
  }

  /** The tuning of the file above concert pitch, -5 to 5 places: the circular mean of all weights within a semitone. */
  #detune(): number {
    let real = 0;
    let imaginary = 0;
    for (let place = 0; place < places; place++) {
      const angle = (2 * Math.PI * place) / placesPerSemitone;
      real += (this.#sum[place] ?? 0) * Math.cos(angle);
      imaginary += (this.#sum[place] ?? 0) * Math.sin(angle);
    }
    return (Math.atan2(imaginary, real) / (2 * Math.PI)) * placesPerSemitone;
  }

  #addPeak(hertz: number, weight: number): void {
    const frame = this.#frame;
    for (let partial = 1; partial <= partials; partial++) {
      const semitones = 9 + 12 * Math.log2(hertz / partial / concertPitch);
      const exact = (((semitones * placesPerSemitone) % places) + places) % places;
      const place = Math.floor(exact);
      const share = weight * partialDecay ** (partial - 1);
      frame[place % places] = (frame[place % places] ?? 0) + share * (1 - exact + place);
      frame[(place + 1) % places] = (frame[(place + 1) % places] ?? 0) + share * (exact - place);
    }
  }
}

/** The root mean square of the magnitudes around each bin, with `reach` bins on each side. */
function envelope(magnitudes: Float64Array, reach: number): Float64Array {
  const powers = new Float64Array(magnitudes.length + 1);
  for (let bin = 0; bin < magnitudes.length; bin++) {
    powers[bin + 1] = (powers[bin] ?? 0) + (magnitudes[bin] ?? 0) ** 2;
  }
  return magnitudes.map((_, bin) => {
    const from = Math.max(0, bin - reach);
    const to = Math.min(magnitudes.length, bin + reach + 1);
    return Math.sqrt(((powers[to] ?? 0) - (powers[from] ?? 0)) / (to - from)) + 1e-12;
  });
}

/** The maximum of the parabola through the logarithms of three bins. The middle bin is the highest. */
function interpolatePeak(left: number, middle: number, right: number): { offset: number; magnitude: number } {
  const before = Math.log(left + 1e-12);
  const peak = Math.log(middle + 1e-12);
  const after = Math.log(right + 1e-12);
  const curvature = before - 2 * peak + after;
  const offset = curvature < 0 ? (0.5 * (before - after)) / curvature : 0;
  return { offset, magnitude: Math.exp(peak - 0.25 * (before - after) * offset) };
}
