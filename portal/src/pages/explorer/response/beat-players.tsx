import { Title } from "@mantine/core";
import { PlayButton } from "../../../display/player/play-button.tsx";
import type { Track } from "../../../display/player/player.ts";
import classes from "./response.module.css";

/** The beats in a response, with buttons that play them in the player. */
export function BeatPlayers({ beats }: { beats: readonly Track[] }) {
  return (
    <div>
      <Title order={3} size="h6" mb="xs">
        {beats.length === 1 ? "The beat in this response" : `The ${beats.length} beats in this response`}
      </Title>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <ul className={classes.beats} tabIndex={0}>
        {beats.map((beat) => (
          <li key={beat.id} className={classes.beat}>
            {beat.coverUrl === "" ? (
              <span className={classes.cover} />
            ) : (
              <img className={classes.cover} src={beat.coverUrl} alt="" width={44} height={44} loading="lazy" />
            )}
            <div className={classes.beatText}>
              <bdi className={classes.beatTitle} title={beat.title}>
                {beat.title}
              </bdi>
              <bdi className={classes.beatProducer}>{beat.producer}</bdi>
            </div>
            <PlayButton track={beat} queue={beats} />
          </li>
        ))}
      </ul>
    </div>
  );
}
