<?php

declare(strict_types=1);

namespace BeatMarket;

use BeatMarket\Exception\APIStatusException;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Http\Connection;
use BeatMarket\Model\Fields;
use BeatMarket\Model\Model;
use BeatMarket\Model\Pagination;

/**
 * One page of a list. foreach iterates over the items of this page and of all following pages, with one page in memory at
 * a time.
 *
 * @template T of Model
 *
 * @implements \IteratorAggregate<int, T>
 *
 * @phpstan-consistent-constructor
 */
class Page implements \IteratorAggregate, \JsonSerializable
{
    /** Number of items on all pages; null only if maxItems is 0, because nothing is requested then. */
    public readonly ?int $total;

    /**
     * @internal
     *
     * @param list<T>                   $data       the items of this page, at most maxItems
     * @param Pagination|null           $pagination null only if maxItems is 0
     * @param Response|null             $response   null only if maxItems is 0
     * @param string                    $url        the URL of this page
     * @param \Closure(Fields): list<T> $read       parses the items of a response
     * @param int|null                  $itemsLeft  maximum number of items after this page; null for all
     */
    protected function __construct(
        public readonly array $data,
        public readonly ?Pagination $pagination,
        public readonly ?Response $response,
        private readonly Connection $connection,
        private readonly string $url,
        private readonly \Closure $read,
        private readonly ?int $itemsLeft,
    ) {
        $this->total = $pagination?->total;
    }

    /**
     * @internal
     *
     * @template M of Model
     *
     * @param \Closure(Fields): list<M> $read
     *
     * @return static<M>
     */
    public static function at(string $url, Connection $connection, \Closure $read, ?int $maxItems): static
    {
        if ($maxItems === null || $maxItems > 0) {
            $response = $connection->get($url);
            [$found, $pagination] = $connection->read(
                $response,
                static fn (Fields $data): array => [$read($data), new Pagination($data->object('pagination'))],
            );
            $found = array_slice($found, 0, $maxItems);
            $itemsLeft = $maxItems === null ? null : $maxItems - count($found);

            return new static($found, $pagination, $response, $connection, $url, $read, $itemsLeft);
        }
        if ($maxItems < 0) {
            throw new InvalidArgumentException('maxItems must not be negative.');
        }

        return new static([], null, null, $connection, $url, $read, 0);
    }

    /**
     * The next page, or null if this is the last one or maxItems is reached.
     *
     * @return static<T>|null
     *
     * @throws BeatMarketException as the call that gave this page
     */
    public function nextPage(): ?static
    {
        $url = $this->nextUrl();

        return $url === null ? null : static::at($url, $this->connection, $this->read, $this->itemsLeft);
    }

    /**
     * Iterates over all items from this page on. After an exception, the same iterator resumes at the failed page:
     * foreach (new NoRewindIterator($iterator) as $item).
     *
     * @return PageIterator<T>
     */
    public function getIterator(): PageIterator
    {
        return new PageIterator($this);
    }

    /** @internal */
    public function url(): string
    {
        return $this->url;
    }

    /**
     * @internal
     *
     * @throws APIStatusException if the next page has another origin, which must not receive the key
     */
    public function nextUrl(): ?string
    {
        $named = $this->pagination?->nextPageUrl;
        if ($named === null || $this->response === null || $this->itemsLeft === 0) {
            return null;
        }
        $url = $this->connection->own($named) ?? throw new APIStatusException(
            $this->response->status,
            null,
            'The next page is on another origin than the base URL. Does baseUrl name the service as it names itself?',
            null,
            $this->response,
        );

        return $url === $this->url ? null : $url;
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        return ['data' => $this->data, 'pagination' => $this->pagination];
    }

    /** @return array<string, mixed> */
    public function __debugInfo(): array
    {
        return ['data' => $this->data, 'pagination' => $this->pagination];
    }
}
