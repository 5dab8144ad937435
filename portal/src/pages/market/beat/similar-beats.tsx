import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { similarQuery } from "../../../api/catalogue.ts";
import { t } from "../../../api/locale.ts";
import { ownOrigin } from "../../../display/beats/own-origin.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { RowsSkeleton } from "../../../display/page.tsx";
import { PlayButton } from "../../../display/player/play-button.tsx";
import { trackOf } from "../../../display/player/use-player.ts";
import { ProducerLink } from "../../../display/producer-link.tsx";
import results from "../results/results.module.css";
import classes from "./beat.module.css";
import { reasonsOf } from "./reasons.ts";

/** The number of requested beats. */
export const similarShown = 6;

/** Beats that are similar to a beat, each with its reasons as bars. */
export function SimilarBeats({ beatId }: { beatId: number }) {
  const { data, error, isPending, refetch } = useQuery(similarQuery(beatId, similarShown));
  if (isPending) return <RowsSkeleton rows={3} height={56} />;
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (data.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t("market.noSimilarBeats")}
      </Text>
    );
  const queue = data.map(trackOf);
  return (
    <ol className={classes.similar}>
      {data.map((beat) => (
        <li key={beat.id} className={classes.like}>
          <PlayButton track={trackOf(beat)} queue={queue} size="md" />
          <img className={classes.thumb} src={ownOrigin(beat.cover_image)} alt="" loading="lazy" />
          <div style={{ minWidth: 0 }}>
            <Link className={results.title} to="/market/beats/$beatId" params={{ beatId: beat.id }}>
              <bdi>{beat.title}</bdi>
            </Link>
            <p className={results.second}>
              <ProducerLink id={beat.user_id} name={beat.producer_name} />
            </p>
          </div>
          <dl className={classes.reasons}>
            {reasonsOf(beat).map(({ name, share, text }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <span className={classes.bar}>
                    <span style={{ width: `${Math.round(share * 100)}%` }} />
                  </span>
                  {text}
                </dd>
              </div>
            ))}
          </dl>
          <span className={classes.score}>{Math.round(beat.similarity.score * 100)} %</span>
        </li>
      ))}
    </ol>
  );
}
