import { Title } from "@mantine/core";
import { Preview } from "../../../display/beats/preview.tsx";
import type { BeatMedia } from "./beat-media.ts";
import classes from "./response.module.css";

/** Covers and players of the beats in a response. One plays at a time; audio loads when played. */
export function BeatPlayers({ beats }: { beats: readonly BeatMedia[] }) {
  return (
    <div>
      <Title order={3} size="h6" mb={6}>
        {beats.length === 1 ? "The beat in this response" : `The ${beats.length} beats in this response`}
      </Title>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <ul className={classes.beats} tabIndex={0}>
        {beats.map(({ id, title, producer, audioUrl, coverUrl }) => (
          <li key={id} className={classes.beat}>
            {coverUrl === "" ? (
              <span className={classes.cover} />
            ) : (
              <img className={classes.cover} src={coverUrl} alt="" width={44} height={44} loading="lazy" />
            )}
            <div className={classes.beatText}>
              <bdi className={classes.beatTitle} title={title}>
                {title}
              </bdi>
              <bdi className={classes.beatProducer}>{producer}</bdi>
              <Preview title={title} src={audioUrl} />
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
