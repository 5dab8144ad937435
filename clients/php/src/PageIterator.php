<?php

declare(strict_types=1);

namespace BeatMarket;

/**
 * Iterates over the items of a page and of all following pages. valid() requests the next page. If it throws, the
 * position is unchanged, and calling it again retries the failed page.
 *
 * @template T
 * @implements \Iterator<int, T>
 */
final class PageIterator implements \Iterator
{
    /** @var Page<T> */
    private Page $page;

    private int $index = 0; // Index in the page.
    private int $position = 0; // Index in all items.

    /** @param Page<T> $first */
    public function __construct(private readonly Page $first)
    {
        $this->page = $first;
    }

    public function rewind(): void
    {
        $this->page = $this->first;
        $this->index = $this->position = 0;
    }

    public function valid(): bool
    {
        while ($this->index >= count($this->page->data)) {
            $next = $this->page->nextPage();
            if ($next === null) {
                return false;
            }
            $this->page = $next;
            $this->index = 0;
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
}
