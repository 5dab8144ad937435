<?php

declare(strict_types=1);

namespace BeatMarket;

use BeatMarket\Http\Connection;
use BeatMarket\Model\Beat;
use BeatMarket\Model\Pagination;
use BeatMarket\Model\Producer;

/**
 * One page of search results. foreach iterates over each page's beats, then its producers.
 *
 * @extends Page<Beat|Producer>
 */
final class SearchPage extends Page
{
    /** @var list<Beat> of this page */
    public readonly array $beats;

    /** @var list<Producer> of this page */
    public readonly array $producers;

    protected function __construct(
        array $data,
        ?Pagination $pagination,
        ?Response $response,
        Connection $connection,
        string $url,
        \Closure $read,
        ?int $dataLeft,
    ) {
        parent::__construct($data, $pagination, $response, $connection, $url, $read, $dataLeft);
        $this->beats = array_values(array_filter($data, static fn (object $item): bool => $item instanceof Beat));
        $this->producers = array_values(array_filter($data, static fn (object $item): bool => $item instanceof Producer));
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        return ['beats' => $this->beats, 'producers' => $this->producers, 'pagination' => $this->pagination];
    }
}
