import { useQuery } from "@tanstack/react-query";
import { peaksQuery } from "./peaks-query.ts";
import type { Track } from "./player.ts";
import { player, usePlayer } from "./use-player.ts";
import { WaveformSlider } from "./waveform-slider.tsx";

interface WaveformSeekProps {
  track: Track;
  /** The queue with this track. It replaces the player's queue if another track plays now. */
  queue: readonly Track[];
}

/**
 * A track's waveform, which seeks in the portal's player. If another track plays, the first press starts this track.
 */
export function WaveformSeek({ track, queue }: WaveformSeekProps) {
  const { data: peaks } = useQuery(peaksQuery(`/media/beats/${track.id}.json`));
  const isCurrent = usePlayer((state) => state.track?.id === track.id);
  const seconds = usePlayer((state) => (isCurrent ? state.seconds : 0));
  const duration = usePlayer((state) => (isCurrent ? state.duration : 0));
  const seek = (share: number) => {
    if (!isCurrent) player.toggle(track, queue);
    player.seek(share * player.state().duration);
  };
  return <WaveformSlider label={track.title} peaks={peaks} seconds={seconds} duration={duration} onSeek={seek} />;
}
