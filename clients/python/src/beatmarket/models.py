"""The resources of the API as typed objects that keep unknown fields."""

from __future__ import annotations

import typing
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from .response import Response
from .wire import is_array, is_object

if TYPE_CHECKING:
    from typing_extensions import Self, dataclass_transform
else:

    def dataclass_transform(**_: object) -> Any:
        """Only type checkers use it, so that typing_extensions need not be loaded."""
        return lambda kind: kind


BeatSort = Literal["newest", "popular", "price_asc", "price_desc", "bpm_asc", "bpm_desc"]
SearchSort = Literal["relevance", "newest", "popular", "price_asc", "price_desc", "bpm_asc", "bpm_desc"]
FacetName = Literal["genre", "key", "bpm", "price", "tag"]
ProducerSort = Literal["popular", "newest", "name"]
SearchType = Literal["beats", "producers", "all"]
OrderStatus = Literal["completed", "pending", "failed"]
LicenseType = Literal["basic", "premium", "unlimited", "exclusive"]
BeatStatus = Literal["draft", "processing", "published", "withdrawn"]
UploadKind = Literal["audio", "stems", "cover"]
OrderFileKind = Literal["mp3", "wav", "stems", "license"]


class _WithResponse:
    """Stores the response in a slot, so that no field can hide it."""

    __slots__ = ("__dict__", "__weakref__", "_response")
    _response: Response | None


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Model(_WithResponse):
    """A read-only object of the API. Its attributes have the API's field names.

    Unknown fields are kept: `beat.to_dict()["new_field"]`, or `getattr(beat, "new_field")`. Values are unchanged; the
    API may add values to enumerations (`status`, `license_type`).
    """

    _models: ClassVar[dict[str, type[Model]] | None] = None

    def __init__(self, /, **fields: Any) -> None:
        object.__setattr__(self, "_response", None)
        kept = self.__dict__
        kept.update(fields)
        for name, model in self._nested().items():
            if name in kept:
                kept[name] = _modelled(kept[name], model)

    @classmethod
    def _from_response(cls, fields: dict[str, Any], response: Response) -> Self:
        """Creates a model of `fields` from `response`."""
        model = cls(**fields)
        object.__setattr__(model, "_response", response)
        return model

    @classmethod
    def _nested(cls) -> dict[str, type[Model]]:
        """The fields that hold models or lists of them, from the annotations."""
        known = cls.__dict__.get("_models")
        if known is None:
            candidates = {name: _innermost(hint) for name, hint in typing.get_type_hints(cls).items()}
            known = {
                name: hint
                for name, hint in candidates.items()
                if isinstance(hint, type) and issubclass(hint, Model) and not name.startswith("_")
            }
            cls._models = known
        return known

    @property
    def response(self) -> Response:
        """The response with this object: request id, rate limit, status, headers, bytes.

        Raises AttributeError if the object is part of another, such as a page: use the response of that.
        """
        if self._response is None:
            raise AttributeError(f"This {type(self).__name__} is part of a larger object, which has the response.")
        return self._response

    def to_dict(self) -> dict[str, Any]:
        """All fields, including unknown ones, as plain dicts, lists and values."""
        return {name: _plain(value) for name, value in self.__dict__.items()}

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.__dict__.items())})"

    if not TYPE_CHECKING:

        def __setattr__(self, name: str, value: object) -> None:
            raise AttributeError(f"{type(self).__name__} is read-only.")

        def __delattr__(self, name: str) -> None:
            raise AttributeError(f"{type(self).__name__} is read-only.")

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.to_dict(), self._response)


def _restore(kind: type[Model], fields: dict[str, Any], response: Response | None) -> Model:
    model = kind(**fields)
    object.__setattr__(model, "_response", response)
    return model


def _innermost(hint: Any) -> Any:
    """The first type within lists and unions."""
    while arguments := typing.get_args(hint):
        hint = arguments[0]
    return hint


def _modelled(value: Any, model: type[Model]) -> Any:
    if is_object(value):
        return model(**value)
    return [_modelled(item, model) for item in value] if is_array(value) else value


def _plain(value: Any) -> Any:
    if isinstance(value, Model):
        return value.to_dict()
    return [_plain(item) for item in value] if is_array(value) else value


class GenreName(Model):
    """The genre of a beat or producer."""

    id: int
    name: str


class Genre(Model):
    """A genre of the catalogue."""

    id: int
    name: str
    slug: str
    beats_count: int
    """Beats on sale in this genre."""


class Beat(Model):
    """A beat in a list."""

    id: int
    title: str
    user_id: int
    """The producing user."""
    producer_name: str
    genre: GenreName
    price: float
    """The basic license's, at most two decimals."""
    duration: int
    """Whole seconds; 0 when unknown."""
    bpm: int
    """Tempo in beats per minute."""
    key: str
    """Musical key such as "C# minor"; "" when unknown."""
    audio_url: str
    cover_image: str
    """URL of an image."""
    created_at: str
    """ISO 8601, UTC, whole seconds."""
    play_count: int
    download_count: int


class License(Model):
    """A license of a beat and its price."""

    type: str
    """basic, premium, unlimited or exclusive."""
    price: float
    available: bool
    """False for every license while the exclusive one is being bought, and once it is sold."""


class Analysis(Model):
    """What was heard in a recording; None where nothing could be told."""

    bpm: float | None
    """Beats per minute."""
    bpm_confidence: float | None
    """How sure the tempo is, from 0 to 1."""
    bpm_alternative: float | None
    """The next best tempo, often twice or half of it."""
    key: str | None
    """Musical key such as "C# minor"."""
    key_confidence: float | None
    """How sure the key is, from 0 to 1."""
    key_alternative: str | None
    """The next best key."""
    duration: int
    """Whole seconds."""
    format: str
    """What the file is by its bytes: wav, aiff, flac, mp3, ogg or m4a."""
    sample_rate: int
    """In Hz."""
    channels: int
    loudness_lufs: float | None
    """Integrated loudness by EBU R128."""
    true_peak_dbtp: float | None
    clipped_samples: int
    silence_start: float
    """Seconds of silence before the first sound."""
    silence_end: float
    """Seconds of silence after the last sound."""


class BeatDetail(Beat):
    """A beat with its description, tags and licenses. To its producer it has `status` and what follows that."""

    description: str
    tags: list[str]
    licenses: list[License]
    updated_at: str
    """ISO 8601, UTC, whole seconds."""
    waveform_url: str | None = None
    """The waveform as JSON of audiowaveform's version 2; in single beats."""
    analysis: Analysis | None = None
    """What was heard in the recording; in single beats."""
    status: str | None = None
    """draft, processing, published or withdrawn; None for a beat that is not yours."""
    bpm_source: str | None = None
    """Who said the `bpm`: producer or analysis; None while nobody has."""
    key_source: str | None = None
    """Who said the `key`: producer or analysis; None while nobody has."""
    preview_tag: str | None = None
    """What is mixed into the preview: default, none, or the id of an upload."""
    rejection: str | None = None
    """Why the last publishing failed, as a sentence; None if it did not."""


class Upload(Model):
    """A file that was uploaded."""

    id: str
    kind: str
    """audio, stems or cover."""
    filename: str
    bytes: int
    """Of the whole file."""
    received: int
    """Of these so many have arrived."""
    sha256: str | None
    """Of the file as it was sent, in hexadecimal digits; None until it is stored."""
    status: str
    """receiving becomes analysing with the last byte, then ready or rejected."""
    rejection: str | None
    """Why it was rejected, as a sentence; None unless it was."""
    analysis: Analysis | None
    """Of audio that is ready."""
    created_at: str
    """ISO 8601, UTC, whole seconds."""
    expires_at: str | None
    """When it is deleted, unless a beat uses it by then; None when one does."""


class GenreCount(Model):
    """How many beats a genre has."""

    value: GenreName
    count: int


class TextCount(Model):
    """How many beats have a key or a tag."""

    value: str
    """A key as beats show it, "" where it is unknown; or a tag."""
    count: int


class RangeCount(Model):
    """How many beats are in a range of tempos or prices."""

    value: float
    """The lowest value, as for `bpm_min` or `price_min`."""
    max: float
    """The highest value, as for `bpm_max` or `price_max`."""
    count: int


class Facets(Model):
    """How many beats have each value, under all filters but those on the same property; None if not asked for."""

    genre: list[GenreCount] | None = None
    key: list[TextCount] | None = None
    bpm: list[RangeCount] | None = None
    price: list[RangeCount] | None = None
    tag: list[TextCount] | None = None


class SearchTotals(Model):
    """All results of a search, by type."""

    beats: int
    producers: int


class Interpretation(Model):
    """What was understood of a search, in the names of parameters; None where nothing was."""

    q: str
    """The words that were searched for."""
    bpm_min: int | None = None
    bpm_max: int | None = None
    key: str | None = None
    """As the parameter `key`."""
    corrected: dict[str, str] | None = None
    """What was searched for instead of a word, by the word."""
    ignored: list[str] | None = None
    """Words that were left out, since nothing has all of them."""


class Change(Model):
    """A change of a listed beat, at its place in the order of commits."""

    position: int
    """Rises from change to change; numbers may be left out."""
    type: str
    """published, updated, sold or withdrawn."""
    beat_id: int
    beat: BeatDetail | None
    """The beat as it is now, which may be newer than the change; None when it is withdrawn."""


class Similarity(Model):
    """How similar two beats are, and why."""

    score: float
    """0 to 1; 1 is a perfect match."""
    tempo_ratio: float
    """The octave in which the tempo was compared, 0.5, 1 or 2: 2 when this beat is about twice as fast."""
    bpm_difference_percent: float
    """Absolute difference of the tempi in that octave, two decimals."""
    key_relation: str
    """On the circle of fifths: same, relative, adjacent or other."""
    same_genre: bool


class SimilarBeat(Beat):
    """A beat that is similar to another one."""

    similarity: Similarity


class User(Model):
    """The public profile of an account."""

    id: int
    username: str
    display_name: str
    bio: str | None
    location: str | None
    website: str | None
    avatar_url: str | None
    is_producer: bool
    beats_count: int
    """Beats on sale."""
    created_at: str
    """ISO 8601, UTC, whole seconds."""


class Producer(User):
    """A user who sells beats."""

    play_count: int
    """Plays of all beats on sale."""
    genres: list[GenreName]
    """Most used first."""


class OrderedBeat(Model):
    """The beat of an order at the time of the purchase."""

    id: int
    title: str
    producer_id: int
    producer_name: str


class NextAction(Model):
    """What the buyer has to do to finish a payment."""

    type: str
    """redirect."""
    url: str
    """The page to open in the buyer's browser."""


class Order(Model):
    """The purchase of a license. Check `status`: it can have failed."""

    id: int
    status: str
    """pending becomes completed or failed; both are final."""
    beat: OrderedBeat
    license_type: str
    """basic, premium, unlimited or exclusive."""
    amount: float
    """At most two decimals, in `currency`."""
    currency: str
    """ISO 4217."""
    payment_method: str
    failure_reason: str | None
    """A sentence; None unless failed."""
    created_at: str
    """ISO 8601, UTC, whole seconds."""
    completed_at: str | None
    """ISO 8601, UTC, whole seconds; None unless completed."""
    refunded_amount: float
    """What was paid back of `amount`; 0 without a refund."""
    refunded_at: str | None
    """When money was last paid back; None if none was. The order stays completed."""
    client_secret: str | None
    """With Stripe, while pending: for Stripe's scripts in the buyer's browser."""
    next_action: NextAction | None
    """While pending: what the buyer has to do, such as 3-D Secure."""


class OrderFile(Model):
    """A file of an order. Whoever has its `url` may download it until it expires."""

    kind: str
    """mp3, wav, stems or license."""
    filename: str
    """What a browser saves it as."""
    bytes: int
    sha256: str
    """In hexadecimal digits."""
    url: str
    expires_at: str
    """ISO 8601, UTC, whole seconds: 15 minutes ahead."""


class OrderLicense(Model):
    """The license of an order."""

    id: str
    url: str
    """The public page that says whether it is valid."""
    jws: str
    """Its facts, signed."""
    type: str
    """basic, premium, unlimited or exclusive."""
    terms_version: str
    """The version of the terms that it was sold under."""
    status: str
    """valid, or refunded once the order is refunded in full."""


class OrderFiles(Model):
    """What a completed order brings."""

    files: list[OrderFile]
    """Empty once the order is refunded in full."""
    license: OrderLicense


class SoldBeat(Model):
    """The beat of a sale, with its title at the time of the purchase."""

    id: int
    title: str


class Buyer(Model):
    """Who bought, as their license names them."""

    name: str


class Sale(Model):
    """A completed order of a beat that the account sold."""

    id: int
    """Of the order."""
    beat: SoldBeat
    license_type: str
    """basic, premium, unlimited or exclusive."""
    amount: float
    """At most two decimals, in `currency`."""
    refunded_amount: float
    """What of it went back to the buyer; 0 without a refund."""
    currency: str
    """ISO 4217."""
    buyer: Buyer
    license_id: str | None
    """None until the license is issued."""
    downloads: int
    """Files of the order that the buyer has downloaded."""
    completed_at: str
    """ISO 8601, UTC, whole seconds."""
    refunded_at: str | None
    """Of the last refund; None without one."""


class Pagination(Model):
    """The position of a page in its list."""

    total: int
    """Items on all pages."""
    per_page: int
    current_page: int
    """From 1."""
    last_page: int
    next_page_url: str | None
    prev_page_url: str | None


class BeatUpdated(Beat):
    """The beat after a change."""

    changed: list[str]
    """Names of the fields that changed."""


class UserUpdated(User):
    """The profile after a change."""

    changed: list[str]
    """Names of the fields that changed."""


class Purchase(Model):
    """A completed purchase: beat, seller and buyer."""

    beat_id: int
    title: str
    producer_id: int
    producer_name: str
    license_type: str
    """basic, premium, unlimited or exclusive."""
    amount: float
    """At most two decimals, in `currency`."""
    currency: str
    """ISO 4217."""
    purchaser_id: int
