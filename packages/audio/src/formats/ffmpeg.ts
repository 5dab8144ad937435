import { MediaTaskError, unusable } from "../media-task.ts";
import { type ProcessLimits, runBounded } from "../process/bounded-process.ts";
import { maxDurationSeconds } from "./audio-stream.ts";

/** The exit status of the shell and of env(1) for a program that does not exist. */
const programNotFound = 127;

/**
 * Decodes M4A and AAC into a WAV file by the program `ffmpeg` on the search path. `offset` is the start of the audio.
 * ffmpeg opens no network addresses, and no other files to which the input refers.
 * @throws {MediaTaskError} if there is no such program, or if it cannot decode the file within the limits
 */
export async function decodeWithFfmpeg(
  input: string,
  output: string,
  {
    offset,
    limits,
    signal,
  }: { offset: number; limits: Pick<ProcessLimits, "timeoutMs" | "maxMemoryBytes">; signal: AbortSignal },
): Promise<void> {
  const { status, endedBy, stderr } = await runBounded(
    [
      "ffmpeg",
      ...["-nostdin", "-v", "error", "-threads", "1", "-protocol_whitelist", "file", "-y"],
      ...["-format_whitelist", "mov,aac", "-skip_initial_bytes", `${offset}`, "-i", input],
      ...["-map", "0:a:0", "-map_metadata", "-1"],
      // A second more than the maximum, so that a file that is too long is detected afterwards.
      ...["-t", `${maxDurationSeconds + 1}`, "-c:a", "pcm_s24le", "-f", "wav", output],
    ],
    { signal, limits: { ...limits, maxFileBytes: 2 ** 31 } },
  );
  if (status === 0) return;
  if (status === programNotFound) throw unusable("M4A and AAC cannot be read here: export WAV, FLAC or MP3.");
  if (endedBy === "abort")
    throw new MediaTaskError("Reading the M4A file was stopped.", { isFinal: false, cause: stderr });
  if (endedBy !== null)
    throw new MediaTaskError(
      `The M4A file took too ${endedBy === "memory" ? "much memory" : "long"} to read: export WAV, FLAC or MP3.`,
      { isFinal: false, cause: stderr },
    );
  if (stderr.includes("matches no streams"))
    throw unusable("The M4A file has no audio in it: export WAV, FLAC or MP3.", stderr);
  if (/decoder .{0,60}not found|could not find codec parameters/i.test(stderr))
    throw unusable(
      "The M4A file has protected audio in it, or a codec that cannot be read here: export WAV, FLAC or MP3.",
      stderr,
    );
  throw unusable("The M4A file is damaged: export it again, as WAV, FLAC or MP3.", stderr);
}
