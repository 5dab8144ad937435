import { ActionIcon, Anchor, Text } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import {
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerSkipBackFilled,
  IconPlayerSkipForwardFilled,
  IconVolume,
  IconVolumeOff,
  IconX,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { t } from "../../api/locale.ts";
import { clockTime } from "./clock-time.ts";
import type { Track } from "./player.ts";
import classes from "./player-bar.module.css";
import { useMediaSession } from "./use-media-session.ts";
import { player, usePlayer } from "./use-player.ts";
import { WaveformSeek } from "./waveform-seek.tsx";

/** The bar with the current track, on every page of the portal. */
export function PlayerBar({ track }: { track: Track }) {
  const isPlaying = usePlayer((state) => state.isPlaying);
  const hasNext = usePlayer((state) => state.hasNext);
  const problem = usePlayer((state) => state.problem);
  useMediaSession(track);
  return (
    <section className={classes.bar} aria-label={t("player.player")}>
      <div className={classes.what}>
        <img className={classes.cover} src={track.coverUrl} alt="" />
        <div className={classes.names}>
          <Text size="sm" fw={600} truncate>
            <Anchor
              inherit
              c="inherit"
              underline="hover"
              renderRoot={(props) => <Link to="/market/beats/$beatId" params={{ beatId: track.id }} {...props} />}
            >
              <bdi>{track.title}</bdi>
            </Anchor>
          </Text>
          <Text size="xs" c={problem === null ? "dimmed" : "red"} truncate title={problem ?? undefined} role="status">
            {problem === null ? <bdi>{track.producer}</bdi> : problem}
          </Text>
        </div>
      </div>
      <div className={classes.controls}>
        <Control label={t("player.back")} icon={IconPlayerSkipBackFilled} onClick={() => player.previous()} />
        <ActionIcon
          size="lg"
          radius="xl"
          aria-label={t(isPlaying ? "player.pauseHere" : "player.playHere", { title: track.title })}
          onClick={() => player.toggleCurrent()}
        >
          {isPlaying ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
        </ActionIcon>
        <Control
          label={t("player.nextBeat")}
          icon={IconPlayerSkipForwardFilled}
          isDisabled={!hasNext}
          onClick={() => player.next()}
        />
      </div>
      <div className={classes.wave}>
        <WaveformSeek track={track} queue={[track]} />
        <Time />
      </div>
      <div className={classes.end}>
        <Volume />
        <Control label={t("player.closeThePlayer")} icon={IconX} onClick={() => player.close()} />
      </div>
    </section>
  );
}

interface ControlProps {
  label: string;
  icon: typeof IconX;
  isDisabled?: boolean;
  onClick: () => void;
}

const Control = ({ label, icon: Icon, isDisabled = false, onClick }: ControlProps) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size="lg"
    aria-label={label}
    aria-disabled={isDisabled}
    data-disabled={isDisabled}
    onClick={() => !isDisabled && onClick()}
  >
    <Icon size={16} />
  </ActionIcon>
);

function Time() {
  const seconds = usePlayer((state) => Math.floor(state.seconds));
  const duration = usePlayer((state) => state.duration);
  return <span className={classes.time}>{duration === 0 ? "" : `${clockTime(seconds)} / ${clockTime(duration)}`}</span>;
}

/** The browser remembers the volume. */
function Volume() {
  const [volume, setVolume] = useLocalStorage({ key: "beatmarket-volume", defaultValue: 1 });
  useEffect(() => player.setVolume(volume), [volume]);
  const isMuted = volume === 0;
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        className={classes.mute}
        aria-label={isMuted ? t("player.unmute") : t("player.mute")}
        onClick={() => setVolume(isMuted ? 1 : 0)}
      >
        {isMuted ? <IconVolumeOff size={16} /> : <IconVolume size={16} />}
      </ActionIcon>
      <input
        type="range"
        className={classes.volume}
        min={0}
        max={1}
        step={0.05}
        value={volume}
        aria-label={t("player.volume")}
        aria-valuetext={`${Math.round(volume * 100)} %`}
        onChange={({ currentTarget }) => setVolume(Number(currentTarget.value))}
      />
    </>
  );
}
