import { VisuallyHidden } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { t } from "../../../api/locale.ts";
import { ownOrigin } from "../../../display/beats/own-origin.ts";
import { clockTime } from "../../../display/player/clock-time.ts";
import { PlayButton } from "../../../display/player/play-button.tsx";
import { trackOf, usePlayer } from "../../../display/player/use-player.ts";
import { ProducerLink } from "../../../display/producer-link.tsx";
import type { BeatsProps } from "./beat-covers.tsx";
import { PriceLink } from "./price-link.tsx";
import classes from "./results.module.css";

/** Beats as a dense list, to compare. */
export function BeatTable({ beats, currency }: BeatsProps) {
  const current = usePlayer((state) => state.track?.id);
  const queue = beats.map(trackOf);
  return (
    <table className={classes.list}>
      <caption>
        <VisuallyHidden>{t("nav.beats")}</VisuallyHidden>
      </caption>
      <colgroup>
        <col style={{ width: 48 }} />
        <col />
        <col className={classes.wide} style={{ width: "18%" }} />
        <col className={classes.middle} style={{ width: 64 }} />
        <col className={classes.middle} style={{ width: 96 }} />
        <col className={classes.wide} style={{ width: 72 }} />
        <col style={{ width: 80 }} />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">
            <VisuallyHidden>{t("market.play")}</VisuallyHidden>
          </th>
          <th scope="col">{t("market.beatColumn")}</th>
          <th scope="col" className={classes.wide}>
            {t("market.genre")}
          </th>
          <th scope="col" className={`${classes.middle} ${classes.number}`}>
            {"BPM"}
          </th>
          <th scope="col" className={classes.middle}>
            {t("market.key")}
          </th>
          <th scope="col" className={`${classes.wide} ${classes.number}`}>
            {t("market.length")}
          </th>
          <th scope="col" className={classes.number}>
            {t("market.fromCaption")}
          </th>
        </tr>
      </thead>
      <tbody>
        {beats.map((beat) => (
          <tr key={beat.id} data-beat={beat.id} data-current={beat.id === current || undefined}>
            <td>
              <PlayButton track={trackOf(beat)} queue={queue} size="md" />
            </td>
            <td>
              <div className={classes.cell}>
                <img className={classes.thumb} src={ownOrigin(beat.cover_image)} alt="" loading="lazy" />
                <div style={{ minWidth: 0 }}>
                  <Link className={classes.title} to="/market/beats/$beatId" params={{ beatId: beat.id }}>
                    <bdi>{beat.title}</bdi>
                  </Link>
                  <p className={classes.second}>
                    <ProducerLink id={beat.user_id} name={beat.producer_name} />
                  </p>
                </div>
              </div>
            </td>
            <td className={classes.wide}>{beat.genre.name}</td>
            <td className={`${classes.middle} ${classes.number}`}>{beat.bpm}</td>
            <td className={classes.middle}>{beat.key}</td>
            <td className={`${classes.wide} ${classes.number}`}>
              {beat.duration === 0 ? "" : clockTime(beat.duration)}
            </td>
            <td className={classes.number}>
              <PriceLink beat={beat} currency={currency} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
