import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
import type { Playlist } from "../../resources/playlists/present.ts";
import { producerPath } from "../../resources/users/producers.ts";
import type { Profile } from "../../resources/users/queries.ts";
import { type ShownBeat, wall } from "../html/beats.ts";

/** A form with one button and hidden fields. */
const button = (action: string, fields: Record<string, string | number>, text: string, label = text): string =>
  `<form method="post" data-in-place action="${action}">${Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(String(value))}">`)
    .join(
      "",
    )}<button class="button"${label === text ? "" : ` aria-label="${escapeHtml(label)}"`}>${escapeHtml(text)}</button></form>`;

export interface FavoritesPage {
  beats: readonly ShownBeat[];
  playlists: readonly Pick<Playlist, "id" | "title" | "beat_ids" | "visibility">[];
  following: readonly Profile[];
  /** The newest beats of the followed producers. */
  newest: readonly ShownBeat[];
  /** The beat that the person adds to a playlist. */
  chosenBeat: ShownBeat | null;
  currency: string;
}

export const favoritesMain = (
  locale: Locale,
  { beats, playlists, following, newest, chosenBeat, currency }: FavoritesPage,
): string => `<div class="page">
<nav class="crumbs" aria-label="${locale.t("frame.breadcrumb")}"><a href="/">${locale.t("frame.beats")}</a> <span class="dim" aria-hidden="true">/</span> ${locale.t("favorites.title")}</nav>
<h1>${locale.t("favorites.title")}</h1>
${chosenBeat === null ? "" : choosePlaylist(locale, chosenBeat, playlists)}
<section class="section" aria-labelledby="favorite-beats"><h2 id="favorite-beats">${locale.t("frame.beats")}</h2>
${
  beats.length === 0
    ? `<p class="dim">${locale.t("favorites.none")}</p>`
    : `${wall(locale, beats, currency)}
<ul class="entries" aria-label="${locale.t("favorites.change")}">
${beats
  .map(
    (beat) =>
      `<li><a href="/beats/${beat.id}"><bdi>${escapeHtml(beat.title)}</bdi></a><a class="chip" href="/favorites?beat=${beat.id}">${locale.t("beat.intoPlaylist")}</a>${button("/favorites", { remove: beat.id }, locale.t("basket.remove"), locale.t("basket.removeThe", { title: beat.title }))}</li>`,
  )
  .join("\n")}
</ul>`
}
</section>
<section class="section" aria-labelledby="playlists-title"><h2 id="playlists-title">${locale.t("favorites.playlists")}</h2>
<ul class="entries">
${playlists
  .map(
    ({ id, title, beat_ids, visibility }) =>
      `<li><a href="/playlists/${id}"><bdi>${escapeHtml(title)}</bdi></a><span class="dim">${locale.t("beats.count", { count: beat_ids.length })}, ${locale.t(`playlist.${visibility}`)}</span></li>`,
  )
  .join("\n")}
</ul>
<form class="filters" method="post" data-in-place action="/favorites/playlists"><label><span>${locale.t("favorites.newPlaylist")}</span> <input name="title" required maxlength="200"></label><button class="button">${locale.t("favorites.create")}</button></form>
</section>
<section class="section" aria-labelledby="following-title"><h2 id="following-title">${locale.t("favorites.following")}</h2>
${
  following.length === 0
    ? `<p class="dim">${locale.t("favorites.followingNone")}</p>`
    : `<ul class="entries">
${following
  .map(
    ({ id, username, display_name }) =>
      `<li><a href="${producerPath(username)}"><bdi>${escapeHtml(display_name)}</bdi></a>${button("/favorites", { unfollow: id }, locale.t("favorites.unfollow"), locale.t("favorites.unfollowThe", { producer: display_name }))}</li>`,
  )
  .join("\n")}
</ul>`
}
</section>
${newest.length === 0 ? "" : `<section class="section" aria-labelledby="newest-title"><h2 id="newest-title">${locale.t("favorites.newest")}</h2>\n${wall(locale, newest, currency)}\n</section>`}
</div>`;

const choosePlaylist = (locale: Locale, beat: ShownBeat, playlists: FavoritesPage["playlists"]): string =>
  `<section class="section" aria-labelledby="choose-title"><h2 id="choose-title">${locale.t("playlist.choose", { title: `<bdi>${escapeHtml(beat.title)}</bdi>` })}</h2>
<div class="entries">${playlists.map(({ id, title }) => button(`/playlists/${id}`, { add: beat.id }, title)).join("")}</div>
<form class="filters" method="post" data-in-place action="/favorites/playlists"><input type="hidden" name="beat" value="${beat.id}"><label><span>${locale.t("playlist.orNew")}</span> <input name="title" required maxlength="200"></label><button class="button">${locale.t("favorites.create")}</button></form>
</section>`;

export interface PlaylistPage {
  playlist: Playlist;
  beats: readonly ShownBeat[];
  isOwn: boolean;
  currency: string;
}

export const playlistMain = (
  locale: Locale,
  { playlist, beats, isOwn, currency }: PlaylistPage,
): string => `<div class="page">
<nav class="crumbs" aria-label="${locale.t("frame.breadcrumb")}"><a href="/">${locale.t("frame.beats")}</a> <span class="dim" aria-hidden="true">/</span> ${isOwn ? `<a href="/favorites">${locale.t("favorites.title")}</a>` : locale.t("favorites.playlists")}</nav>
<h1><bdi>${escapeHtml(playlist.title)}</bdi></h1>
<p class="by dim">${locale.t("beats.count", { count: beats.length })}${locale.t("basket.by", { producer: `<bdi>${escapeHtml(playlist.owner_name)}</bdi>` })}</p>
${playlist.description === "" ? "" : `<p class="about"><bdi>${escapeHtml(playlist.description).replaceAll("\n", "<br>")}</bdi></p>`}
${beats.length === 0 ? `<p class="dim">${locale.t("playlist.empty")}</p>` : wall(locale, beats, currency)}
${isOwn ? editPlaylist(locale, playlist, beats) : ""}
</div>`;

function editPlaylist(
  locale: Locale,
  { id, title, description, visibility }: Playlist,
  beats: readonly ShownBeat[],
): string {
  const action = `/playlists/${id}`;
  const isPublic = visibility === "public";
  const rows = beats.map(
    (beat, index) =>
      `<li><bdi>${escapeHtml(beat.title)}</bdi>${index === 0 ? "" : button(action, { up: beat.id }, locale.t("playlist.up"), locale.t("playlist.upThe", { title: beat.title }))}${
        index === beats.length - 1
          ? ""
          : button(
              action,
              { down: beat.id },
              locale.t("playlist.down"),
              locale.t("playlist.downThe", { title: beat.title }),
            )
      }${button(action, { remove: beat.id }, locale.t("basket.remove"), locale.t("basket.removeThe", { title: beat.title }))}</li>`,
  );
  return `<section class="section" aria-labelledby="edit-title"><h2 id="edit-title">${locale.t("playlist.change")}</h2>
<p class="lead">${locale.t(isPublic ? "playlist.isPublic" : "playlist.isPrivate")}</p>
${button(action, { visibility: isPublic ? "private" : "public" }, locale.t(isPublic ? "playlist.makePrivate" : "playlist.makePublic"))}
<ol class="entries">
${rows.join("\n")}
</ol>
<form class="filters" method="post" data-in-place action="${action}"><label><span>${locale.t("playlist.title")}</span> <input name="title" required maxlength="200" value="${escapeHtml(title)}"></label><label><span>${locale.t("playlist.description")}</span> <textarea name="description" maxlength="2000" rows="3">${escapeHtml(description)}</textarea></label><button class="button">${locale.t("playlist.save")}</button></form>
${button(action, { delete: "yes" }, locale.t("playlist.delete"))}
</section>`;
}
