<?php

declare(strict_types=1);

namespace BeatMarket;

use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Http\Call;
use BeatMarket\Http\Connection;
use BeatMarket\Http\Errors;
use BeatMarket\Http\Json;
use BeatMarket\Model\Pagination;

/**
 * One page of a list. foreach iterates over the items of this page and of all following pages, with one page in memory at
 * a time. count() and indexes apply to this page only.
 *
 * @property-read Pagination|null $pagination
 * @property-read Response        $response
 * @property-read int             $total      number of items on all pages
 * @template T
 * @implements \IteratorAggregate<int, T>
 * @implements \ArrayAccess<int, T>
 * @phpstan-consistent-constructor
 */
class Page implements \IteratorAggregate, \ArrayAccess, \Countable, \JsonSerializable
{
    use LazyFields {
        __get as private field;
    }

    /** @internal */
    public const FIELDS = ['pagination' => ['pagination', Pagination::class]];

    /** @var list<T> the items of this page, at most maxItems */
    public readonly array $data;

    /** @var array<string, list<mixed>> the items by their names in the response */
    private readonly array $lists;

    private readonly ?int $itemsLeft;
    private readonly string $url;

    private ?Response $received = null; // Null while maxItems is 0 and only items were read.

    /**
     * @internal
     * @param array<string, class-string<Model>> $items    the model of each list
     * @param int|null                           $maxItems of this page and all after it; null for all
     * @param string|null                        $next     the URL of a next page
     * @param array<string, true>                $visited  hashes of the URLs of the pages before, so that a circle ends
     */
    public function __construct(
        private readonly Connection $connection,
        private readonly Call $call,
        private readonly array $items,
        ?int $maxItems,
        ?string $next = null,
        private array $visited = [],
    ) {
        if ($maxItems < 0) {
            throw new InvalidArgumentException('maxItems must not be negative.');
        }
        $this->url = $next ?? $connection->url($call);
        $this->visited[hash('xxh128', $this->url)] = true;
        $wire = $maxItems === 0 ? [] : $this->toArray();
        $lists = [];
        foreach ($items as $name => $model) {
            $lists[$name] = self::readAs([[$model]], array_slice(array_values($wire[$name] ?? []), 0, $maxItems));
            $maxItems = $maxItems === null ? null : $maxItems - count($lists[$name]);
        }
        $this->lists = $lists;
        $this->itemsLeft = $maxItems;
        $this->data = array_merge(...array_values($lists));
    }

    /** @return array<array-key, mixed> all fields by their API names, including unknown ones */
    public function toArray(): array
    {
        if ($this->received === null) {
            $response = $this->connection->sender->perform('GET', $this->url, operation: $this->call->operation);
            $wire = $this->connection->data($response, array_keys($this->items));
            Json::isObject($wire['pagination'] ?? null) || throw Errors::field($response, 'pagination', 'an object');
            [$this->wire, $this->received] = [$wire, $response];
        }

        return $this->wire;
    }

    public function __get(string $name): mixed
    {
        if (isset($this->lists[$name])) {
            return $this->lists[$name];
        }
        $wire = $this->toArray();

        return match ($name) {
            'response' => $this->received,
            'total' => ((array) $wire['pagination'])['total'] ?? null,
            default => $this->field($name),
        };
    }

    public function __isset(string $name): bool
    {
        return isset($this->lists[$name]) || in_array($name, ['response', 'total'], true) || isset($this->toArray()[static::FIELDS[$name][0] ?? '']);
    }

    /**
     * @return static<T>|null null if this is the last page, maxItems is reached, or the next page was visited before
     * @throws BeatMarketException as the call that returned this page
     */
    public function nextPage(): ?static
    {
        $named = $this->itemsLeft === 0 ? null : ((array) $this->wire['pagination'])['next_page_url'] ?? null;
        if ($named === null) {
            return null;
        }
        // Another origin must not receive the key.
        $own = is_string($named) ? $this->connection->baseUrl->own($named) : null;
        $own ?? throw Errors::unlike(
            $this->response,
            'The next page has another origin than baseUrl. Set baseUrl to the address that the service uses in its links.',
        );
        $url = $this->connection->sender->extras->url($own, isNextPage: true);

        return isset($this->visited[hash('xxh128', $url)])
            ? null
            : new static($this->connection, $this->call, $this->items, $this->itemsLeft, $url, $this->visited);
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

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        $items = count($this->lists) === 1 ? ['data' => $this->data] : $this->lists;

        return $items + array_diff_key($this->wire ?? [], $this->lists);
    }
}
