import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { Playlist } from "../../resources/playlists/playlist.ts";
import { producerPath } from "../../resources/users/public-producers.ts";
import type { Profile } from "../../resources/users/user.ts";
import { type ShownBeat, wall } from "../html/beats.ts";

/** A form of one button, which posts hidden fields. */
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
  /** The newest beats of those. */
  newest: readonly ShownBeat[];
  /** The beat that is to be put into a playlist. */
  chosen: ShownBeat | null;
  currency: string;
}

export const favoritesMain = ({
  beats,
  playlists,
  following,
  newest,
  chosen,
  currency,
}: FavoritesPage): string => `<div class="page">
<nav class="crumbs" aria-label="Breadcrumb"><a href="/">Beats</a> <span class="dim" aria-hidden="true">/</span> Favorites</nav>
<h1>Favorites</h1>
${chosen === null ? "" : choosePlaylist(chosen, playlists)}
<section class="section" aria-labelledby="favorite-beats"><h2 id="favorite-beats">Beats</h2>
${
  beats.length === 0
    ? `<p class="dim">None yet. “Add to favorites” on a beat's page puts it here.</p>`
    : `${wall(beats, currency)}
<ul class="entries" aria-label="Change your favorites">
${beats
  .map(
    (beat) =>
      `<li><a href="/beats/${beat.id}"><bdi>${escapeHtml(beat.title)}</bdi></a><a class="chip" href="/favorites?beat=${beat.id}">Into a playlist</a>${button("/favorites", { remove: beat.id }, "Remove", `Remove ${beat.title}`)}</li>`,
  )
  .join("\n")}
</ul>`
}
</section>
<section class="section" aria-labelledby="playlists-title"><h2 id="playlists-title">Playlists</h2>
<ul class="entries">
${playlists
  .map(
    ({ id, title, beat_ids, visibility }) =>
      `<li><a href="/playlists/${id}"><bdi>${escapeHtml(title)}</bdi></a><span class="dim">${countText(beat_ids.length)}, ${visibility}</span></li>`,
  )
  .join("\n")}
</ul>
<form class="filters" method="post" data-in-place action="/favorites/playlists"><label><span>New playlist</span> <input name="title" required maxlength="200"></label><button class="button">Create</button></form>
</section>
<section class="section" aria-labelledby="following-title"><h2 id="following-title">Producers whom you follow</h2>
${
  following.length === 0
    ? `<p class="dim">None yet. “Follow” on a producer's page puts them here.</p>`
    : `<ul class="entries">
${following
  .map(
    ({ id, username, display_name }) =>
      `<li><a href="${producerPath(username)}"><bdi>${escapeHtml(display_name)}</bdi></a>${button("/favorites", { unfollow: id }, "Unfollow", `Unfollow ${display_name}`)}</li>`,
  )
  .join("\n")}
</ul>`
}
</section>
${newest.length === 0 ? "" : `<section class="section" aria-labelledby="newest-title"><h2 id="newest-title">New from them</h2>\n${wall(newest, currency)}\n</section>`}
</div>`;

const countText = (count: number): string => (count === 1 ? "1 beat" : `${count} beats`);

const choosePlaylist = (beat: ShownBeat, playlists: FavoritesPage["playlists"]): string =>
  `<section class="section" aria-labelledby="choose-title"><h2 id="choose-title">Put <bdi>${escapeHtml(beat.title)}</bdi> into a playlist</h2>
<div class="entries">${playlists.map(({ id, title }) => button(`/playlists/${id}`, { add: beat.id }, title)).join("")}</div>
<form class="filters" method="post" data-in-place action="/favorites/playlists"><input type="hidden" name="beat" value="${beat.id}"><label><span>Or into a new one</span> <input name="title" required maxlength="200"></label><button class="button">Create</button></form>
</section>`;

export interface PlaylistPage {
  playlist: Playlist;
  beats: readonly ShownBeat[];
  isOwn: boolean;
  currency: string;
}

export const playlistMain = ({ playlist, beats, isOwn, currency }: PlaylistPage): string => `<div class="page">
<nav class="crumbs" aria-label="Breadcrumb"><a href="/">Beats</a> <span class="dim" aria-hidden="true">/</span> ${isOwn ? `<a href="/favorites">Favorites</a>` : "Playlists"}</nav>
<h1><bdi>${escapeHtml(playlist.title)}</bdi></h1>
<p class="by dim">${countText(beats.length)}, by <bdi>${escapeHtml(playlist.owner_name)}</bdi></p>
${playlist.description === "" ? "" : `<p class="about"><bdi>${escapeHtml(playlist.description).replaceAll("\n", "<br>")}</bdi></p>`}
${beats.length === 0 ? `<p class="dim">No beat is in it.</p>` : wall(beats, currency)}
${isOwn ? editPlaylist(playlist, beats) : ""}
</div>`;

function editPlaylist({ id, title, description, visibility }: Playlist, beats: readonly ShownBeat[]): string {
  const action = `/playlists/${id}`;
  const isPublic = visibility === "public";
  const rows = beats.map(
    (beat, at) =>
      `<li><bdi>${escapeHtml(beat.title)}</bdi>${at === 0 ? "" : button(action, { up: beat.id }, "Up", `Move ${beat.title} up`)}${
        at === beats.length - 1 ? "" : button(action, { down: beat.id }, "Down", `Move ${beat.title} down`)
      }${button(action, { remove: beat.id }, "Remove", `Remove ${beat.title}`)}</li>`,
  );
  return `<section class="section" aria-labelledby="edit-title"><h2 id="edit-title">Change this playlist</h2>
<p class="lead">${isPublic ? "Everybody with its address sees it." : "Only you see it."}</p>
${button(action, { visibility: isPublic ? "private" : "public" }, isPublic ? "Make it private" : "Make it public")}
<ol class="entries">
${rows.join("\n")}
</ol>
<form class="filters" method="post" data-in-place action="${action}"><label><span>Title</span> <input name="title" required maxlength="200" value="${escapeHtml(title)}"></label><label><span>Description</span> <textarea name="description" maxlength="2000" rows="3">${escapeHtml(description)}</textarea></label><button class="button">Save</button></form>
${button(action, { delete: "yes" }, "Delete the playlist")}
</section>`;
}
