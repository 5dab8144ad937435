<?php

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Absent;
use BeatMarket\BeatBatch;
use BeatMarket\BeatPage;
use BeatMarket\Collection;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\InvalidRequestException;
use BeatMarket\Exception\NotFoundException;
use BeatMarket\Exception\PreconditionFailedException;
use BeatMarket\Http\Connection;
use BeatMarket\Model\Beat;
use BeatMarket\Model\BeatDetail;
use BeatMarket\Model\Fields;
use BeatMarket\Model\PartialBeat;
use BeatMarket\Model\SimilarBeat;
use BeatMarket\Operation;

final class Beats
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Lists beats on sale.
     *
     * @param int|null                       $page          from 1
     * @param int|null                       $limit         beats on a page, 1 to 100; 20 by default
     * @param int|list<int>|null             $genre         only beats of these genre ids
     * @param int|list<int>|null             $producer      only beats of these producer ids
     * @param int|null                       $bpmMin        only beats of this tempo or faster
     * @param int|null                       $bpmMax        only beats of this tempo or slower
     * @param int|null                       $bpm           only beats of this tempo, instead of bpmMin and bpmMax
     * @param float|null                     $bpmTolerance  percent by which a beat may differ from bpm
     * @param bool|null                      $halfDouble    whether beats of half and of double the bpm match as well
     * @param string|list<string>|null       $key           only beats in these keys: A minor, Am or 8A
     * @param string|null                    $keyCompatible only beats that mix with this key
     * @param float|null                     $priceMin      only beats of this price or more
     * @param float|null                     $priceMax      only beats of this price or less
     * @param int|null                       $durationMin   only beats of this many seconds or more
     * @param int|null                       $durationMax   only beats of this many seconds or less
     * @param \DateTimeInterface|string|null $createdAfter  only beats of this time or later
     * @param \DateTimeInterface|string|null $createdBefore only beats of this time or earlier
     * @param string|list<string>|null       $tag           only beats with one of these tags
     * @param string|list<string>|null       $license       Value\LicenseType; only beats of which one of these is available
     * @param string|null                    $sort          one of Value\BeatSort; newest by default
     * @param string|list<string>|null       $facets        what to count all found beats by: genre, key, bpm, price, tag
     * @param list<int>|null                 $ids           these beats, at most 100, in that order, as BeatDetails; only fields goes with it
     * @param string|list<string>|null       $fields        the fields that beats are reduced to, as PartialBeats
     * @param int|null                       $maxItems      maximum number of items in a foreach
     *
     * @return BeatPage<Beat|PartialBeat>
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
        string|array|null $license = null,
        ?string $sort = null,
        string|array|null $facets = null,
        ?array $ids = null,
        string|array|null $fields = null,
        ?int $maxItems = null,
    ): BeatPage {
        $query = [
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
        ];
        $model = $fields !== null ? PartialBeat::class : ($ids !== null ? BeatDetail::class : Beat::class);

        return BeatPage::at(
            $this->connection->url(Operation::ListBeats, query: $query),
            $this->connection,
            static fn (Fields $data): array => $data->models('beats', $model),
            $maxItems,
        );
    }

    /**
     * Gets beats by their ids, in that order and with their licenses, with a request for every 100.
     *
     * @param list<int> $beatIds
     *
     * @throws BeatMarketException
     */
    public function getMany(array $beatIds): BeatBatch
    {
        $beats = [];
        $missing = [];
        foreach (array_chunk($beatIds, 100) as $ids) {
            $page = $this->list(ids: $ids);
            array_push($beats, ...$page->data);
            array_push($missing, ...$page->missing ?? []);
        }

        return new BeatBatch($beats, $missing);
    }

    /**
     * Gets a beat with its licenses.
     *
     * @throws NotFoundException
     * @throws BeatMarketException
     */
    public function get(int|string $beatId): BeatDetail
    {
        $url = $this->connection->url(Operation::GetBeat, ['beat_id' => $beatId]);

        return $this->connection->readOne($this->connection->get($url), 'beat', BeatDetail::class);
    }

    /**
     * Lists similar beats, most similar first.
     *
     * @param int|null $limit 1 to 20; 5 by default
     *
     * @return Collection<SimilarBeat>
     *
     * @throws NotFoundException
     * @throws BeatMarketException
     */
    public function similar(int|string $beatId, ?int $limit = null): Collection
    {
        $url = $this->connection->url(Operation::ListSimilarBeats, ['beat_id' => $beatId], ['limit' => $limit]);

        return $this->connection->readAll($this->connection->get($url), 'beats', SimilarBeat::class);
    }

    /**
     * Makes a beat of an upload of your own.
     *
     * @param string                                 $title          1 to 200 characters
     * @param int|string                             $genre          id or name of a genre
     * @param string                                 $audio          id of an upload of audio, which need not be ready yet
     * @param int|float                              $price          of the basic license, at most two decimals
     * @param array<string, int|float>|null          $licensePrices  by Value\LicenseType, but for basic; derived from $price
     *                                                               where left out
     * @param int|float|null                         $bpm            default: what analysis tells
     * @param string|null                            $key            A minor, Am or 8A; default: what analysis tells
     * @param string|null                            $description    at most 2,000 characters
     * @param list<string>|null                      $tags           at most 20
     * @param string|null                            $cover          id of an upload of a cover
     * @param string|null                            $stems          id of an upload of stems
     * @param string|null                            $previewTag     what is mixed into the preview: default, none, or the id
     *                                                               of an upload of audio
     * @param string|null                            $status         draft (default), or published: on sale once the files
     *                                                               are processed
     * @param string|null                            $idempotencyKey as for Orders::create(): calls with one key make one beat
     *
     * @throws InvalidRequestException 400 names the field; 409 if another account has published this very recording
     * @throws BeatMarketException
     */
    public function create(
        string $title,
        int|string $genre,
        string $audio,
        int|float $price,
        ?array $licensePrices = null,
        int|float|null $bpm = null,
        ?string $key = null,
        ?string $description = null,
        ?array $tags = null,
        ?string $cover = null,
        ?string $stems = null,
        ?string $previewTag = null,
        ?string $status = null,
        ?string $idempotencyKey = null,
    ): BeatDetail {
        $fields = [
            'title' => $title,
            'genre' => $genre,
            'audio' => $audio,
            'price' => $price,
            'license_prices' => $licensePrices === null ? null : (object) $licensePrices,
            'bpm' => $bpm,
            'key' => $key,
            'description' => $description,
            'tags' => $tags,
            'cover' => $cover,
            'stems' => $stems,
            'preview_tag' => $previewTag,
            'status' => $status,
        ];
        $given = array_filter($fields, static fn (mixed $value): bool => $value !== null);
        $response = $this->connection->call(Operation::CreateBeat, $given, Connection::idempotency($idempotencyKey));

        return $this->connection->readOne($response, 'beat', BeatDetail::class);
    }

    /**
     * Changes one of your beats in any state. A field that is not passed is unchanged; the rules are those of create().
     *
     * @param array<string, int|float>|Absent|null $licensePrices changes those that it names; null derives all from the price
     * @param int|float|Absent|null                $bpm           null takes what analysis tells, and so does $key
     * @param string|Absent|null                   $description   null clears it, and so do $tags, $cover and $stems
     * @param list<string>|Absent|null             $tags
     * @param string|Absent                        $status        published puts the beat on sale; draft stops the publishing
     *                                                            of one that was never on sale
     * @param string|null                          $ifMatch       the etag of the response with the state that you change
     *
     * @throws PreconditionFailedException if the beat has changed since $ifMatch
     * @throws InvalidRequestException     400 names the field; 409 while the exclusive license is sold or being bought
     * @throws NotFoundException
     * @throws BeatMarketException
     */
    public function update(
        int|string $beatId,
        string|Absent $title = Absent::Field,
        int|string|Absent $genre = Absent::Field,
        string|Absent $audio = Absent::Field,
        int|float|Absent $price = Absent::Field,
        array|Absent|null $licensePrices = Absent::Field,
        int|float|Absent|null $bpm = Absent::Field,
        string|Absent|null $key = Absent::Field,
        string|Absent|null $description = Absent::Field,
        array|Absent|null $tags = Absent::Field,
        string|Absent|null $cover = Absent::Field,
        string|Absent|null $stems = Absent::Field,
        string|Absent $previewTag = Absent::Field,
        string|Absent $status = Absent::Field,
        ?string $ifMatch = null,
    ): BeatDetail {
        $fields = [
            'title' => $title,
            'genre' => $genre,
            'audio' => $audio,
            'price' => $price,
            'license_prices' => is_array($licensePrices) ? (object) $licensePrices : $licensePrices,
            'bpm' => $bpm,
            'key' => $key,
            'description' => $description,
            'tags' => $tags,
            'cover' => $cover,
            'stems' => $stems,
            'preview_tag' => $previewTag,
            'status' => $status,
        ];
        $given = array_filter($fields, static fn (mixed $value): bool => $value !== Absent::Field);
        $response = $this->connection->call(Operation::UpdateBeat, $given, self::condition($ifMatch), ['beat_id' => $beatId]);

        return $this->connection->readOne($response, 'beat', BeatDetail::class);
    }

    /**
     * Takes one of your beats off sale; those who bought a license keep it. A beat that was never on sale is deleted.
     *
     * @param string|null $ifMatch as for update()
     *
     * @return BeatDetail the beat as it was left
     *
     * @throws PreconditionFailedException if the beat has changed since $ifMatch
     * @throws InvalidRequestException     409 if the exclusive license is sold
     * @throws NotFoundException
     * @throws BeatMarketException
     */
    public function withdraw(int|string $beatId, ?string $ifMatch = null): BeatDetail
    {
        $response = $this->connection->call(
            Operation::WithdrawBeat,
            headers: self::condition($ifMatch),
            ids: ['beat_id' => $beatId],
        );

        return $this->connection->readOne($response, 'beat', BeatDetail::class);
    }

    /** @return array<string, string> */
    private static function condition(?string $ifMatch): array
    {
        return $ifMatch === null ? [] : ['If-Match' => $ifMatch];
    }
}
