import { Anchor, Badge, Breadcrumbs, Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconMusicOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, Navigate, useNavigate } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import { type BeatDetail, beatQuery, producerBeatsQuery } from "../../api/catalogue.ts";
import { ApiError } from "../../api/client.ts";
import { loadChunk } from "../../api/load-chunk.ts";
import { locale, t } from "../../api/locale.ts";
import { optionsQuery } from "../../api/market.ts";
import { sessionQuery } from "../../api/session.ts";
import { ownOrigin } from "../../display/beats/own-origin.ts";
import { ApiCall, type ShownCalls } from "../../display/calls/api-call.tsx";
import { EmptyState } from "../../display/empty-state.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../display/page.tsx";
import { PaymentModeBadge } from "../../display/payment-mode.tsx";
import { clockTime } from "../../display/player/clock-time.ts";
import { PlayButton } from "../../display/player/play-button.tsx";
import { trackOf } from "../../display/player/use-player.ts";
import { WaveformSeek } from "../../display/player/waveform-seek.tsx";
import { ProducerLink } from "../../display/producer-link.tsx";
import { useTitle } from "../../display/use-title.ts";
import classes from "./beat/beat.module.css";
import { KeepButtons } from "./beat/keep-buttons.tsx";
import { Licenses } from "./beat/licenses.tsx";
import { SimilarBeats, similarShown } from "./beat/similar-beats.tsx";
import { BeatCovers } from "./results/beat-covers.tsx";

const route = getRouteApi("/frame/market/beats/$beatId");
const othersShown = 5;

/** Loaded when the user buys. */
const BuyDialog = lazy(() =>
  loadChunk(() => import("./buy/buy-dialog.tsx")).then((module) => ({ default: module.BuyDialog })),
);

/** The page of a beat: player, licenses and similar beats. Everyone can open it; buying needs an account. */
export function BeatPage() {
  const { beatId } = route.useParams();
  const { buy, price } = route.useSearch();
  const navigate = useNavigate();
  const session = useQuery(sessionQuery).data;
  const { data: beat, error, refetch } = useQuery(beatQuery(beatId));
  const beatLink = { to: "/market/beats/$beatId", params: { beatId } } as const;
  if (buy !== undefined && session?.account === null)
    return <Navigate to="/sign-in" search={{ next: nextOf(beatId, buy, price) }} replace />;
  if (error instanceof ApiError && error.status === 404) return <NoBeat beatId={beatId} />;
  return (
    <Stack gap="xs">
      <Breadcrumbs fz="sm">
        <Anchor size="sm" renderRoot={(props) => <Link to="/market" {...props} />}>
          {t("nav.catalogue")}
        </Anchor>
        {beat !== undefined && (
          <Anchor
            size="sm"
            renderRoot={(props) => <Link to="/market" search={{ genre: String(beat.genre.id) }} {...props} />}
          >
            {beat.genre.name}
          </Anchor>
        )}
      </Breadcrumbs>
      <Page
        title={beat?.title ?? t("market.beatById", { beatId: String(beatId) })}
        lead={beat && <ProducerLink id={beat.user_id} name={beat.producer_name} />}
        actions={<ApiCall calls={callsOf(beatId, beat?.user_id)} />}
      >
        {beat === undefined && error === null && <RowsSkeleton rows={4} height={96} />}
        {beat === undefined && error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
        {beat !== undefined && <Beat beat={beat} />}
      </Page>
      {buy !== undefined && session !== undefined && (
        <Suspense>
          <BuyDialog
            key={`${beatId} ${buy}`}
            beatId={beatId}
            license={buy}
            shownPrice={price}
            onClose={() => void navigate({ ...beatLink, search: {}, replace: true, resetScroll: false })}
          />
        </Suspense>
      )}
    </Stack>
  );
}

const nextOf = (beatId: number, buy: string, price: number | undefined): string =>
  `/market/beats/${beatId}?buy=${buy}${price === undefined ? "" : `&price=${price}`}`;

/** The API calls that read the page's data. */
const callsOf = (beatId: number, producerId: number | undefined): ShownCalls => ({
  "This beat": { operationId: "getBeat", parameters: { beat_id: beatId } },
  "Similar beats": {
    operationId: "listSimilarBeats",
    parameters: { beat_id: beatId },
    query: { limit: similarShown },
  },
  ...(producerId !== undefined && {
    "The producer's beats": {
      operationId: "listBeats",
      query: { producer: producerId, sort: "popular", limit: othersShown + 1 },
    },
  }),
});

function Beat({ beat }: { beat: BeatDetail }) {
  const { data: options } = useQuery(optionsQuery);
  const session = useQuery(sessionQuery).data;
  const currency = options?.currency ?? "USD";
  const track = trackOf(beat);
  return (
    <Stack gap="xl">
      <div className={classes.head}>
        <img className={classes.cover} src={ownOrigin(beat.cover_image)} alt="" />
        <div className={classes.side}>
          <Facts beat={beat} />
          <div className={classes.deck}>
            <PlayButton track={track} queue={[track]} size="xl" />
            <WaveformSeek track={track} queue={[track]} />
          </div>
          <KeepButtons beat={beat} />
        </div>
      </div>
      <Part title={t("market.licenses")} aside={session && <PaymentModeBadge mode={session.payments} />}>
        <Licenses beat={beat} currency={currency} />
      </Part>
      <Part title={t("market.about")}>
        {beat.description !== "" && (
          <Text size="sm" style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
            <bdi>{beat.description}</bdi>
          </Text>
        )}
        <Group gap="xs" mt="sm">
          {beat.tags.map((tag) => (
            <Badge
              key={tag}
              variant="default"
              tt="none"
              renderRoot={(props) => <Link to="/market" search={{ tag }} {...props} />}
              style={{ cursor: "pointer" }}
            >
              {tag}
            </Badge>
          ))}
        </Group>
      </Part>
      <Part title={t("market.similarBeatsAndWhy")}>
        <SimilarBeats beatId={beat.id} />
      </Part>
      <Others beat={beat} currency={currency} />
    </Stack>
  );
}

function Facts({ beat: { bpm, key, genre, duration, play_count, created_at } }: { beat: BeatDetail }) {
  const facts = [
    [t("market.tempo"), t("market.bpm", { bpm })],
    [t("market.key"), key],
    [t("market.genre"), genre.name],
    [t("market.length"), duration === 0 ? "" : clockTime(duration)],
    [t("market.plays"), locale.number(play_count)],
    [t("market.added"), created_at.slice(0, 10)],
  ].filter(([, value]) => value !== "");
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The producer's other beats. Renders nothing without any. */
function Others({ beat, currency }: { beat: BeatDetail; currency: string }) {
  const { data = [] } = useQuery(producerBeatsQuery(beat.user_id, othersShown + 1));
  const otherBeats = data.filter(({ id }) => id !== beat.id).slice(0, othersShown);
  if (otherBeats.length === 0) return null;
  return (
    <Part title={t("market.moreByProducer", { producerName: beat.producer_name })}>
      <BeatCovers beats={otherBeats} currency={currency} />
    </Part>
  );
}

const Part = ({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) => (
  <section aria-label={title}>
    <Group justify="space-between" mb="sm">
      <Title order={2} size="h3">
        <bdi>{title}</bdi>
      </Title>
      {aside}
    </Group>
    {children}
  </section>
);

function NoBeat({ beatId }: { beatId: number }) {
  const title = t("market.missingBeatTitle", { beatId: String(beatId) });
  useTitle(title);
  return (
    <EmptyState
      icon={IconMusicOff}
      level={1}
      title={title}
      action={<Button renderRoot={(props) => <Link to="/market" {...props} />}>{t("market.openTheCatalogue")}</Button>}
    >
      {t("market.missingBeatHint")}
    </EmptyState>
  );
}
