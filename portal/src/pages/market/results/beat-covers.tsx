import { Link } from "@tanstack/react-router";
import type { Beat } from "../../../api/catalogue.ts";
import { t } from "../../../api/locale.ts";
import { ownOrigin } from "../../../display/beats/own-origin.ts";
import { PlayButton } from "../../../display/player/play-button.tsx";
import { trackOf } from "../../../display/player/use-player.ts";
import { ProducerLink } from "../../../display/producer-link.tsx";
import { PriceLink } from "./price-link.tsx";
import classes from "./results.module.css";

export interface BeatsProps {
  beats: readonly Beat[];
  currency: string;
}

const factsOf = ({ bpm, key, genre }: Beat): string =>
  [t("market.bpm", { bpm }), key, genre.name].filter((fact) => fact !== "").join(" · ");

/** Beats as covers with a play button. */
export function BeatCovers({ beats, currency }: BeatsProps) {
  const queue = beats.map(trackOf);
  return (
    <ul className={classes.covers}>
      {beats.map((beat) => (
        <li key={beat.id} className={classes.card} data-beat={beat.id}>
          <div className={classes.cover}>
            <img src={ownOrigin(beat.cover_image)} alt="" loading="lazy" decoding="async" />
            <PlayButton track={trackOf(beat)} queue={queue} size="xl" isOnCover />
          </div>
          <div className={classes.line}>
            <Link className={classes.title} to="/market/beats/$beatId" params={{ beatId: beat.id }}>
              <bdi>{beat.title}</bdi>
            </Link>
            <PriceLink beat={beat} currency={currency} />
          </div>
          <p className={classes.second}>
            <ProducerLink id={beat.user_id} name={beat.producer_name} />
          </p>
          <p className={classes.second}>{factsOf(beat)}</p>
        </li>
      ))}
    </ul>
  );
}
