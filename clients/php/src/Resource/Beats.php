<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Absent;
use BeatMarket\BeatBatch;
use BeatMarket\Collection;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Generated\Operation;
use BeatMarket\Http\Call;
use BeatMarket\Http\Connection;
use BeatMarket\Model\Beat;
use BeatMarket\Model\BeatDetail;
use BeatMarket\Model\SimilarBeat;
use BeatMarket\Page\BeatPage;
use BeatMarket\Value\BeatSort;
use BeatMarket\Value\FacetName;
use BeatMarket\Value\LicenseType;
use BeatMarket\Value\NewBeatStatus;

/** The beats on sale, and your own. */
final class Beats
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Returns the beats on sale that match every filter, one page at a time; or beats by their `ids`.
     *
     * Needs the permission beats:read.
     *
     * @param int|null                       $page          The number of the page, from 1.
     * @param int|null                       $limit         The number of results on a page (1 to 100; default: 20).
     * @param int|list<int>|null             $genre         Only beats of the genres with these ids.
     * @param int|list<int>|null             $producer      Only beats of the producers with these ids.
     * @param int|null                       $bpmMin        Only beats of this `bpm` or faster (1 to 999).
     * @param int|null                       $bpmMax        Only beats of this `bpm` or slower (1 to 999).
     * @param int|null                       $bpm           Only beats of this `bpm` (1 to 999). Instead of `bpmMin` and
     *                                                      `bpmMax`.
     * @param float|null                     $bpmTolerance  The percentage by which a beat may differ from `bpm` (0 to
     *                                                      50). Default: 0.
     * @param bool|null                      $halfDouble    Whether beats of half and of double the `bpm` match as well.
     *                                                      Default: false.
     * @param string|list<string>|null       $key           Only beats in these keys: `A minor`, `Am` or `8A` (Camelot);
     *                                                      enharmonic spellings are the same key; `unknown` for beats
     *                                                      without one.
     * @param string|null                    $keyCompatible Only beats that mix with this key: itself, its relative and
     *                                                      its neighbours on the circle of fifths. Spelled as in `key`.
     * @param float|null                     $priceMin      Only beats whose `price` is this or more.
     * @param float|null                     $priceMax      Only beats whose `price` is this or less.
     * @param int|null                       $durationMin   Only beats of this many seconds or more.
     * @param int|null                       $durationMax   Only beats of this many seconds or less.
     * @param \DateTimeInterface|string|null $createdAfter  Only beats whose `createdAt` is this time or later, ISO
     *                                                      8601. A date alone is its first second, UTC.
     * @param \DateTimeInterface|string|null $createdBefore Only beats whose `createdAt` is this time or earlier, ISO
     *                                                      8601. A date alone is its last second, UTC.
     * @param string|list<string>|null       $tag           Only beats with one of these tags. Accents and case are
     *                                                      ignored.
     * @param LicenseType|string|list<LicenseType|string>|null $license
     *        Only beats with one of these licenses available. Of Value\LicenseType.
     * @param BeatSort|string|null           $sort          The order of the list (default: newest). Every order ends
     *                                                      with the id, so pages never overlap. One of Value\BeatSort.
     * @param FacetName|string|list<FacetName|string>|null $facets
     *        The properties to count beats by. Counts are exact and apply all filters except those on the same
     *        property. Of Value\FacetName.
     * @param int|list<int>|null             $ids           Ids of beats. Returns these beats in this order, with all
     *                                                      details, also sold ones. Can be combined with `fields` only.
     * @param string|list<string>|null       $fields        The fields to return of each object, by their names in the
     *                                                      response. Fields that only the response of a single beat has
     *                                                      are allowed, too. All other fields are absent, although the
     *                                                      schemas of responses describe whole objects.
     * @param int|null                       $maxItems      Maximum number of items, of this page and in a foreach.
     *
     * @return BeatPage<Beat|BeatDetail>
     *
     * @throws BeatMarketException
     */
    public function list(
        ?int $page = null,
        ?int $limit = null,
        int|array|null $genre = null,
        int|array|null $producer = null,
        ?int $bpmMin = null,
        ?int $bpmMax = null,
        ?int $bpm = null,
        ?float $bpmTolerance = null,
        ?bool $halfDouble = null,
        string|array|null $key = null,
        ?string $keyCompatible = null,
        ?float $priceMin = null,
        ?float $priceMax = null,
        ?int $durationMin = null,
        ?int $durationMax = null,
        \DateTimeInterface|string|null $createdAfter = null,
        \DateTimeInterface|string|null $createdBefore = null,
        string|array|null $tag = null,
        LicenseType|string|array|null $license = null,
        BeatSort|string|null $sort = null,
        FacetName|string|array|null $facets = null,
        int|array|null $ids = null,
        string|array|null $fields = null,
        ?int $maxItems = null,
    ): BeatPage {
        return new BeatPage(
            $this->connection,
            new Call(
                Operation::ListBeats,
                query: [
                    'page' => $page,
                    'limit' => $limit,
                    'genre' => $genre,
                    'producer' => $producer,
                    'bpm_min' => $bpmMin,
                    'bpm_max' => $bpmMax,
                    'bpm' => $bpm,
                    'bpm_tolerance' => $bpmTolerance,
                    'half_double' => $halfDouble,
                    'key' => $key,
                    'key_compatible' => $keyCompatible,
                    'price_min' => $priceMin,
                    'price_max' => $priceMax,
                    'duration_min' => $durationMin,
                    'duration_max' => $durationMax,
                    'created_after' => $createdAfter,
                    'created_before' => $createdBefore,
                    'tag' => $tag,
                    'license' => $license,
                    'sort' => $sort,
                    'facets' => $facets,
                    'ids' => $ids,
                    'fields' => $fields,
                ],
            ),
            ['beats' => $ids === null && $fields === null ? Beat::class : BeatDetail::class],
            $maxItems,
        );
    }

    /**
     * Creates a beat from an upload. The beat is a draft that only you see; with `status` `published`, it goes on sale
     * as soon as its files are processed. A repeated request with the same `Idempotency-Key` creates one beat.
     *
     * Needs the permission beats:write.
     *
     * @param string                         $title           The title of the beat.
     * @param int|string                     $genre           A genre of `GET /genres`, by its id or its name.
     * @param string                         $audio           The id of an upload of kind `audio`.
     * @param int|float                      $price           The price of the basic license in the currency's main
     *                                                        unit, with at most two decimals.
     * @param array{premium?: int|float, unlimited?: int|float, exclusive?: int|float}|null $licensePrices
     *        The prices of the other licenses. Default: twice, five and twenty times `price`, rounded up to end in 99
     *        cents.
     * @param array<string, mixed>|null      $licenseSettings Which licenses are sold, and with which limits. A license
     *                                                        that is not named keeps its settings; in a new beat, it
     *                                                        has your default settings.
     * @param bool|null                      $freeDownload    Whether people who confirm an e-mail address get the
     *                                                        tagged MP3 for free, for non-commercial use.
     * @param int|float|null                 $bpm             The tempo. Default: the result of the analysis.
     * @param string|null                    $key             The musical key, such as `A minor`, `Am` or `8A`. Default:
     *                                                        the result of the analysis.
     * @param string|null                    $description
     * @param list<string>|null              $tags            At most 20 tags, each with at most 50 characters and
     *                                                        without a comma. Of tags that differ only in case,
     *                                                        accents, spaces or punctuation, the first is stored.
     * @param string|null                    $cover           The id of an upload of kind `cover`.
     * @param string|null                    $stems           The id of an upload of kind `stems`.
     * @param string|null                    $previewTag      The tag that is mixed into the preview every 15 seconds:
     *                                                        `default` is the service's own tag, `none` is no tag, and
     *                                                        the id of an upload of kind `audio` is your own tag.
     * @param \DateTimeInterface|string|null $publishAt       The time at which to publish the beat: in the future,
     *                                                        within two years. Not together with `status` `published`.
     * @param NewBeatStatus|string|null      $status          `published` puts the beat on sale as soon as its files are
     *                                                        processed. Default: draft. One of Value\NewBeatStatus.
     * @param string|null                    $idempotencyKey  1 to 255 visible ASCII characters: calls with the same key
     *                                                        within 24 hours are carried out once. Default: a random
     *                                                        key, shared by the attempts of this call.
     *
     * @throws BeatMarketException
     */
    public function create(
        string $title,
        int|string $genre,
        string $audio,
        int|float $price,
        ?array $licensePrices = null,
        ?array $licenseSettings = null,
        ?bool $freeDownload = null,
        int|float|null $bpm = null,
        ?string $key = null,
        ?string $description = null,
        ?array $tags = null,
        ?string $cover = null,
        ?string $stems = null,
        ?string $previewTag = null,
        \DateTimeInterface|string|null $publishAt = null,
        NewBeatStatus|string|null $status = null,
        ?string $idempotencyKey = null,
    ): BeatDetail {
        return $this->connection->object(
            new Call(
                Operation::CreateBeat,
                body: [
                    'title' => $title,
                    'genre' => $genre,
                    'audio' => $audio,
                    'price' => $price,
                    'license_prices' => $licensePrices === null ? Absent::Field : (object) $licensePrices,
                    'license_settings' => $licenseSettings === null ? Absent::Field : (object) $licenseSettings,
                    'free_download' => $freeDownload ?? Absent::Field,
                    'bpm' => $bpm ?? Absent::Field,
                    'key' => $key ?? Absent::Field,
                    'description' => $description ?? Absent::Field,
                    'tags' => $tags ?? Absent::Field,
                    'cover' => $cover ?? Absent::Field,
                    'stems' => $stems ?? Absent::Field,
                    'preview_tag' => $previewTag ?? Absent::Field,
                    'publish_at' => $publishAt ?? Absent::Field,
                    'status' => $status ?? Absent::Field,
                ],
                idempotencyKey: $idempotencyKey,
            ),
            BeatDetail::class,
            'beat',
        );
    }

    /**
     * Returns a beat with its description, tags and licenses. It also returns a beat whose exclusive license is sold,
     * and your own beats in every state, with their `status`.
     *
     * Needs the permission beats:read.
     *
     * @param int|string $beatId Identifier of the beat.
     *
     * @throws BeatMarketException
     */
    public function get(int|string $beatId): BeatDetail
    {
        return $this->connection->object(
            new Call(Operation::GetBeat, ids: ['beat_id' => $beatId]),
            BeatDetail::class,
            'beat',
        );
    }

    /**
     * Changes one of your beats, on sale or not. An omitted field stays as it is; null clears it. New files replace the
     * old ones once they are processed. With `If-Match`, the beat changes only if it has not changed since. A repeated
     * request with the same `Idempotency-Key` gets the first response.
     *
     * Needs the permission beats:write.
     *
     * @param int|string                            $beatId
     *        Identifier of the beat.
     * @param string|Absent                         $title
     *        The title of the beat.
     * @param int|string|Absent                     $genre
     *        A genre of `GET /genres`, by its id or its name.
     * @param string|Absent                         $audio
     *        The id of an upload of kind `audio`.
     * @param int|float|Absent                      $price
     *        The price of the basic license in the currency's main unit, with at most two decimals.
     * @param array{premium?: int|float, unlimited?: int|float, exclusive?: int|float}|Absent|null $licensePrices
     *        The prices to change. Null derives all three from `price` again.
     * @param array<string, mixed>|Absent           $licenseSettings
     *        Which licenses are sold, and with which limits. A license that is not named keeps its settings; in a new
     *        beat, it has your default settings.
     * @param bool|Absent                           $freeDownload
     *        Whether people who confirm an e-mail address get the tagged MP3 for free, for non-commercial use.
     * @param int|float|Absent|null                 $bpm
     *        The tempo. Null takes the result of the analysis.
     * @param string|Absent|null                    $key
     *        The musical key. Null takes the result of the analysis.
     * @param string|Absent|null                    $description
     * @param list<string>|Absent|null              $tags
     * @param string|Absent|null                    $cover
     * @param string|Absent|null                    $stems
     * @param string|Absent                         $previewTag
     *        The tag that is mixed into the preview every 15 seconds: `default` is the service's own tag, `none` is no
     *        tag, and the id of an upload of kind `audio` is your own tag.
     * @param \DateTimeInterface|string|Absent|null $publishAt
     *        The time at which to publish a draft or a withdrawn beat: in the future, within two years. Null cancels
     *        it.
     * @param NewBeatStatus|string|Absent           $status
     *        `published` puts a draft or a withdrawn beat on sale; `draft` stops the publishing of a beat that was
     *        never on sale. One of Value\NewBeatStatus.
     * @param string|null                           $idempotencyKey
     *        1 to 255 visible ASCII characters: calls with the same key within 24 hours are carried out once. Default:
     *        a random key, shared by the attempts of this call.
     * @param string|null                           $ifMatch
     *        The etag of the response with the state that you change.
     *
     * @throws BeatMarketException
     */
    public function update(
        int|string $beatId,
        string|Absent $title = Absent::Field,
        int|string|Absent $genre = Absent::Field,
        string|Absent $audio = Absent::Field,
        int|float|Absent $price = Absent::Field,
        array|Absent|null $licensePrices = Absent::Field,
        array|Absent $licenseSettings = Absent::Field,
        bool|Absent $freeDownload = Absent::Field,
        int|float|Absent|null $bpm = Absent::Field,
        string|Absent|null $key = Absent::Field,
        string|Absent|null $description = Absent::Field,
        array|Absent|null $tags = Absent::Field,
        string|Absent|null $cover = Absent::Field,
        string|Absent|null $stems = Absent::Field,
        string|Absent $previewTag = Absent::Field,
        \DateTimeInterface|string|Absent|null $publishAt = Absent::Field,
        NewBeatStatus|string|Absent $status = Absent::Field,
        ?string $idempotencyKey = null,
        ?string $ifMatch = null,
    ): BeatDetail {
        return $this->connection->object(
            new Call(
                Operation::UpdateBeat,
                ids: ['beat_id' => $beatId],
                body: [
                    'title' => $title,
                    'genre' => $genre,
                    'audio' => $audio,
                    'price' => $price,
                    'license_prices' => is_array($licensePrices) ? (object) $licensePrices : $licensePrices,
                    'license_settings' => is_array($licenseSettings) ? (object) $licenseSettings : $licenseSettings,
                    'free_download' => $freeDownload,
                    'bpm' => $bpm,
                    'key' => $key,
                    'description' => $description,
                    'tags' => $tags,
                    'cover' => $cover,
                    'stems' => $stems,
                    'preview_tag' => $previewTag,
                    'publish_at' => $publishAt,
                    'status' => $status,
                ],
                idempotencyKey: $idempotencyKey,
                ifMatch: $ifMatch,
            ),
            BeatDetail::class,
            'beat',
        );
    }

    /**
     * Takes one of your beats off sale and returns it. Buyers keep their licenses. `updateBeat` with `status`
     * `published` puts it on sale again. A beat that was never on sale is deleted.
     *
     * Needs the permission beats:write.
     *
     * @param int|string  $beatId         Identifier of the beat.
     * @param string|null $idempotencyKey 1 to 255 visible ASCII characters: calls with the same key within 24 hours are
     *                                    carried out once. Default: a random key, shared by the attempts of this call.
     * @param string|null $ifMatch        The etag of the response with the state that you change.
     *
     * @throws BeatMarketException
     */
    public function withdraw(int|string $beatId, ?string $idempotencyKey = null, ?string $ifMatch = null): BeatDetail
    {
        return $this->connection->object(
            new Call(
                Operation::WithdrawBeat,
                ids: ['beat_id' => $beatId],
                idempotencyKey: $idempotencyKey,
                ifMatch: $ifMatch,
            ),
            BeatDetail::class,
            'beat',
        );
    }

    /**
     * Returns the beats most similar to the given one, the most similar first. They are compared by genre, tempo (half
     * and double are near), key on the circle of fifths, and lesser factors. `similarity` explains each choice.
     *
     * Needs the permission beats:read.
     *
     * @param int|string $beatId Identifier of the beat.
     * @param int|null   $limit  The number of similar beats (1 to 20; default: 5).
     *
     * @return Collection<SimilarBeat>
     *
     * @throws BeatMarketException
     */
    public function similar(int|string $beatId, ?int $limit = null): Collection
    {
        return $this->connection->collection(
            new Call(Operation::ListSimilarBeats, ids: ['beat_id' => $beatId], query: ['limit' => $limit]),
            SimilarBeat::class,
            'beats',
        );
    }

    /**
     * Gets beats by their ids, in that order and with their licenses, with a request for every 100. A beat whose id is
     * given twice is returned once.
     *
     * @param list<int> $beatIds
     *
     * @throws BeatMarketException
     */
    public function getMany(array $beatIds): BeatBatch
    {
        return $this->connection->batch($beatIds, fn (array $ids): BeatPage => $this->list(ids: $ids));
    }
}
