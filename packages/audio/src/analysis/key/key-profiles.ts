// How much each pitch class counts in a key, from the tonic up by half tones: "bgate", medians over electronic dance music
// of which the four weakest are zero, as published by Faraldo, Jordà & Herrera 2017, "A Multi-Profile Method for Key
// Estimation in EDM" (AES Conference on Semantic Audio).
const major = [1, 0, 0.42, 0, 0.53, 0.37, 0, 0.77, 0, 0.38, 0.21, 0.3];
const minor = [1, 0, 0.36, 0.39, 0, 0.38, 0, 0.74, 0.27, 0, 0.42, 0.23];

/** One of the 24 keys and how well it fits. */
export interface KeyFit {
  /** Half tones above C. */
  tonic: number;
  mode: "major" | "minor";
  /** Correlation of the pitch classes with the key's profile, -1 to 1. */
  fit: number;
}

/** All keys by their fit to the weights of twelve pitch classes from C up, best first. */
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

/** Pearson's; 0 where the weights are all alike. */
function correlation(weights: Float64Array, profile: readonly number[]): number {
  const weightMean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
  const profileMean = profile.reduce((sum, value) => sum + value, 0) / profile.length;
  let both = 0;
  let ofWeights = 0;
  let ofProfile = 0;
  for (let n = 0; n < weights.length; n++) {
    const weight = (weights[n] ?? 0) - weightMean;
    const value = (profile[n] ?? 0) - profileMean;
    both += weight * value;
    ofWeights += weight * weight;
    ofProfile += value * value;
  }
  return ofWeights === 0 ? 0 : both / Math.sqrt(ofWeights * ofProfile);
}
