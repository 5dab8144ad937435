<?php

declare(strict_types=1);

namespace BeatMarket;

use BeatMarket\Http\Connection;
use BeatMarket\Model\Beat;
use BeatMarket\Model\Facets;
use BeatMarket\Model\Fields;
use BeatMarket\Model\Pagination;
use BeatMarket\Model\PartialBeat;

/**
 * One page of beats. foreach iterates over all pages, with the same filters.
 *
 * @template T of Beat|PartialBeat
 *
 * @extends Page<T>
 */
final class BeatPage extends Page
{
    /** How many of all beats have each value; null without facets. */
    public readonly ?Facets $facets;

    /** @var list<int>|null the ids that nobody has; null without ids */
    public readonly ?array $missing;

    protected function __construct(
        array $data,
        ?Pagination $pagination,
        ?Response $response,
        Connection $connection,
        string $url,
        \Closure $read,
        ?int $itemsLeft,
    ) {
        parent::__construct($data, $pagination, $response, $connection, $url, $read, $itemsLeft);
        [$this->facets, $this->missing] = $response === null ? [null, null] : $connection->read(
            $response,
            static function (Fields $data): array {
                $facets = $data->objectOrNull('facets');

                return [
                    $facets === null ? null : new Facets($facets),
                    $data->optional('missing', $data->integers(...)),
                ];
            },
        );
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        $extras = ['facets' => $this->facets, 'missing' => $this->missing];

        return parent::jsonSerialize() + array_filter($extras, static fn (mixed $extra): bool => $extra !== null);
    }
}
