import { Title } from "@mantine/core";
import { useRef } from "react";
import type { BeatMedia } from "./beat-media.ts";
import classes from "./response.module.css";

/** Covers and players of the beats in a response. One plays at a time; audio loads when played. */
export function BeatPlayers({ beats }: { beats: readonly BeatMedia[] }) {
  const list = useRef<HTMLUListElement>(null);
  const pauseOthers = (playing: HTMLAudioElement) => {
    for (const audio of list.current?.querySelectorAll("audio") ?? []) if (audio !== playing) audio.pause();
  };
  return (
    <div>
      <Title order={3} size="h6" mb={6}>
        {beats.length === 1 ? "The beat in this response" : `The ${beats.length} beats in this response`}
      </Title>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <ul className={classes.beats} ref={list} tabIndex={0}>
        {beats.map(({ id, title, producer, audioUrl, coverUrl }) => (
          <li key={id} className={classes.beat}>
            {coverUrl === "" ? (
              <span className={classes.cover} />
            ) : (
              <img className={classes.cover} src={coverUrl} alt="" width={56} height={56} loading="lazy" />
            )}
            <div className={classes.beatText}>
              <bdi className={classes.beatTitle} title={title}>
                {title}
              </bdi>
              <bdi className={classes.beatProducer}>{producer}</bdi>
              {/* biome-ignore lint/a11y/useMediaCaption: instrumental music */}
              <audio
                controls
                preload="none"
                src={audioUrl}
                aria-label={`Preview of ${title}`}
                onPlay={(event) => pauseOthers(event.currentTarget)}
              />
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
