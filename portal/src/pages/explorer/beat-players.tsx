import { Title } from "@mantine/core";
import { useRef } from "react";
import classes from "./explorer.module.css";
import type { BeatMedia } from "./media.ts";

/** Covers and players of the beats in an answer; one plays at a time, and nothing is fetched before it is played. */
export function BeatPlayers({ beats }: { beats: readonly BeatMedia[] }) {
  const list = useRef<HTMLUListElement>(null);
  const pauseOthers = (playing: HTMLAudioElement) => {
    for (const audio of list.current?.querySelectorAll("audio") ?? []) if (audio !== playing) audio.pause();
  };
  return (
    <div>
      <Title order={3} size="h6" mb={6}>
        {beats.length === 1 ? "The beat in this answer" : `The ${beats.length} beats in this answer`}
      </Title>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard. */}
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
              {/* biome-ignore lint/a11y/useMediaCaption: music without words */}
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
