// The weight of each pitch class in a key, by semitones from the tonic. The profiles "bgate" of Faraldo, Jordà &
// Herrera 2017, "A Multi-Profile Method for Key Estimation in EDM" (AES Conference on Semantic Audio): medians over
// electronic dance music, with the four smallest weights set to zero.
const major = [1, 0, 0.42, 0, 0.53, 0.37, 0, 0.77, 0, 0.38, 0.21, 0.3];
const minor = [1, 0, 0.36, 0.39, 0, 0.38, 0, 0.74, 0.27, 0, 0.42, 0.23];

/** One of the 24 keys, and how well it fits. */
export interface KeyFit {
  /** Semitones above C. */
  tonic: number;
  mode: "major" | "minor";
  /** The correlation of the pitch classes with the key's profile, -1 to 1. */
  fit: number;
}

/** All keys, sorted by their fit to the weights of twelve pitch classes (from C), best first. */
export function keyFits(pitchClasses: Float64Array): readonly KeyFit[] {
  const fits = Array.from({ length: 12 }, (_, tonic): KeyFit[] => {
    const fromTonic = pitchClasses.map((_, step) => pitchClasses[(tonic + step) % 12] ?? 0);
    return [
      { tonic, mode: "major", fit: correlation(fromTonic, major) },
      { tonic, mode: "minor", fit: correlation(fromTonic, minor) },
    ];
  });
  return fits.flat().sort((a, b) => b.fit - a.fit);
}

/** Pearson's correlation. 0 if all weights are equal. */
function correlation(weights: Float64Array, profile: readonly number[]): number {
  const weightMean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
  const profileMean = profile.reduce((sum, value) => sum + value, 0) / profile.length;
  let covariance = 0;
  let weightVariance = 0;
  let profileVariance = 0;
  for (let n = 0; n < weights.length; n++) {
    const weight = (weights[n] ?? 0) - weightMean;
    const value = (profile[n] ?? 0) - profileMean;
    covariance += weight * value;
    weightVariance += weight * weight;
    profileVariance += value * value;
  }
  return weightVariance === 0 ? 0 : covariance / Math.sqrt(weightVariance * profileVariance);
}
