<?php

declare(strict_types=1);

namespace BeatMarket;

use BeatMarket\Exception\APIStatusException;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Generated\Operation;
use BeatMarket\Http\Connection;
use BeatMarket\Model\Pagination;

/**
 * One page of a list. foreach iterates over the items of this page and of all following pages, with one page in memory at
 * a time. count() and indexes are of this page alone.
 *
 * @property-read Pagination|null $pagination
 * @property-read Response        $response
 * @property-read int             $total      number of items on all pages
 *
 * @template T
 *
 * @implements \IteratorAggregate<int, T>
 * @implements \ArrayAccess<int, T>
 *
 * @phpstan-consistent-constructor
 */
class Page implements \IteratorAggregate, \ArrayAccess, \Countable, \JsonSerializable
{
    use LazyFields {
        __get as private field;
        __isset as private hasField;
    }

    /** @internal */
    public const FIELDS = ['pagination' => ['pagination', Pagination::class]];

    /** @var list<T> the items of this page, at most maxItems */
    public readonly array $data;

    /** @var array<string, list<mixed>> the items by their names in the response */
    private readonly array $lists;

    private readonly ?int $itemsLeft;

    /** This page with what is requested in addition to its items; with maxItems 0 it is requested only then. */
    private ?self $whole;

    /**
     * @param array<array-key, mixed>            $wire
     * @param string                             $url      the URL of this page
     * @param array<string, class-string<Model>> $items    the model of each list
     * @param int|null                           $maxItems of this page and all after it; null for all
     */
    protected function __construct(
        array $wire,
        private readonly ?Response $received,
        private readonly Connection $connection,
        private readonly Operation $operation,
        private readonly string $url,
        private readonly array $items,
        ?int $maxItems,
    ) {
        $this->wire = $wire;
        $this->whole = $received === null ? null : $this;
        $left = $maxItems;
        $lists = [];
        foreach ($items as $name => $model) {
            $lists[$name] = self::readAs([[$model]], array_slice(array_values($wire[$name] ?? []), 0, $left));
            $left = $left === null ? null : $left - count($lists[$name]);
        }
        $this->lists = $lists;
        $this->itemsLeft = $left;
        $this->data = array_merge(...array_values($lists));
    }

    /**
     * @internal
     *
     * @param array<string, class-string<Model>> $items
     *
     * @return static<mixed>
     */
    public static function at(Connection $connection, Operation $operation, string $url, array $items, ?int $maxItems): static
    {
        if ($maxItems < 0) {
            throw new InvalidArgumentException('maxItems must not be negative.');
        }

        return $maxItems === 0
            ? new static([], null, $connection, $operation, $url, $items, 0)
            : static::requested($connection, $operation, $url, $items, $maxItems);
    }

    /**
     * @param array<string, class-string<Model>> $items
     *
     * @return static<mixed>
     */
    private static function requested(Connection $connection, Operation $operation, string $url, array $items, ?int $maxItems): static
    {
        $response = $connection->sender->perform('GET', $url, operation: $operation);

        $data = $connection->data($response, ...array_keys($items));
        Connection::isObject($data['pagination'] ?? null) || throw $connection->unlike($response, 'pagination', 'an object');

        return new static($data, $response, $connection, $operation, $url, $items, $maxItems);
    }

    /** @return static<T> */
    private function whole(): static
    {
        return $this->whole ??= static::requested($this->connection, $this->operation, $this->url, $this->items, 0);
    }

    public function __get(string $name): mixed
    {
        return $this->lists[$name] ?? match ($name) {
            'response' => $this->whole()->received,
            'total' => ((array) $this->whole()->wire['pagination'])['total'] ?? null,
            default => $this->whole()->field($name),
        };
    }

    public function __isset(string $name): bool
    {
        return isset($this->lists[$name]) || in_array($name, ['response', 'total'], true) || $this->whole()->hasField($name);
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

        return $url === null ? null : static::at($this->connection, $this->operation, $url, $this->items, $this->itemsLeft);
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

    public function count(): int
    {
        return count($this->data);
    }

    public function offsetExists(mixed $offset): bool
    {
        return isset($this->data[$offset]);
    }

    /** @return T */
    public function offsetGet(mixed $offset): mixed
    {
        return $this->data[$offset];
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
        $named = $this->itemsLeft === 0 ? null : ((array) $this->wire['pagination'])['next_page_url'] ?? null;
        if ($named === null) {
            return null;
        }
        $url = is_string($named) ? $this->connection->baseUrl->own($named) : null;
        if ($url === null) {
            $message = 'The next page is on another origin than the base URL. Does baseUrl name the service as it names itself?';
            throw APIStatusException::unlike($this->response, $message);
        }

        $url = $this->connection->sender->extras->url($url, isNextPage: true);

        return $url === $this->url ? null : $url;
    }

    /** @return array<array-key, mixed> */
    public function toArray(): array
    {
        return $this->whole()->wire;
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        $items = count($this->lists) === 1 ? ['data' => $this->data] : $this->lists;

        return $items + array_diff_key($this->wire, $this->lists);
    }

    /** @return array<string, mixed> */
    public function __debugInfo(): array
    {
        return $this->jsonSerialize();
    }
}
