<?php

declare(strict_types=1);

namespace BeatMarket;

/**
 * Iterates over the items of a page and of all following pages. valid() requests the next page. If it throws, the
 * position is unchanged, and calling it again retries the failed page.
 *
 * @template T
 *
 * @implements \Iterator<int, T>
 */
final class PageIterator implements \Iterator
{
    /** @var Page<T> */
    private Page $page;

    /** Position in the page. */
    private int $index;

    /** Position in all items. */
    private int $position;

    /** @var array<string, true> hashes of the addresses of pages, so that a circle ends */
    private array $visited;

    /** @param Page<T> $first */
    public function __construct(private readonly Page $first)
    {
        $this->rewind();
    }

    public function rewind(): void
    {
        $this->page = $this->first;
        $this->index = 0;
        $this->position = 0;
        $this->visited = [self::hash($this->first->url()) => true];
    }

    public function valid(): bool
    {
        while ($this->index >= count($this->page->data)) {
            $url = $this->page->nextUrl();
            if ($url === null || isset($this->visited[self::hash($url)])) {
                return false;
            }
            $next = $this->page->nextPage();
            if ($next === null) {
                return false;
            }
            $this->page = $next;
            $this->index = 0;
            $this->visited[self::hash($url)] = true;
        }

        return true;
    }

    /** @return T */
    public function current(): mixed
    {
        return $this->page->data[$this->index];
    }

    public function key(): int
    {
        return $this->position;
    }

    public function next(): void
    {
        ++$this->index;
        ++$this->position;
    }

    private static function hash(string $url): string
    {
        return hash('xxh128', $url, true);
    }
}
