<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Response;

/** @internal Reads server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) of consecutive connections. */
final class EventFeed extends Download
{
    public const QUIET_SECONDS = 45; // The service sends a byte at least every 15 seconds.
    private const FIRST_RETRY_SECONDS = 3.0;
    private const LONGEST_RETRY_SECONDS = 60.0;

    public float $retrySeconds = self::FIRST_RETRY_SECONDS; // The time that the service asks to wait before the next connection.
    private string $rest = '';
    private string $id = '';
    private int $count = 0;

    /** @param int|null $lastId of the last received event */
    public function __construct(public ?int $lastId)
    {
    }

    public function headers(): array
    {
        $own = ['Accept' => 'text/event-stream', 'Accept-Encoding' => 'identity'];

        // The service prefers the header Last-Event-ID to the query's `after`.
        return $this->lastId === null ? $own : $own + ['Last-Event-ID' => (string) $this->lastId];
    }

    public function begin(Response $response): bool
    {
        $isStream = $response->status === 200 && str_starts_with($response->header('content-type') ?? '', 'text/event-stream');
        if ($isStream) {
            $this->begun = $response;
            $this->rest = $this->id = '';
            $this->offset = $this->end = 0; // The offset counts the bytes of one connection.
            $this->retrySeconds = self::FIRST_RETRY_SECONDS;
        }

        return $isStream;
    }

    public function reached(): int
    {
        return $this->count;
    }

    /** @return \Generator<int, string> the data of the events that are complete with these bytes */
    public function events(string $bytes): \Generator
    {
        $text = $this->rest . $bytes;
        $held = str_ends_with($text, "\r") ? "\r" : ''; // It may be half of a line break.
        $blocks = explode("\n\n", (string) preg_replace('/\r\n?/', "\n", substr($text, 0, strlen($text) - strlen($held))));
        $this->rest = array_pop($blocks) . $held;
        foreach ($blocks as $block) {
            // A byte order mark may come first.
            preg_match_all('/^(?:\xEF\xBB\xBF)?(data|id|retry)(?:$|: ?)(.*)$/m', $block, $fields, PREG_SET_ORDER);
            $data = [];
            foreach ($fields as [, $name, $value]) {
                if ($name === 'data') {
                    $data[] = $value;
                } elseif ($name === 'id' && !str_contains($value, "\0")) {
                    $this->id = $value;
                } elseif ($name === 'retry' && ctype_digit($value)) {
                    $this->retrySeconds = min((float) $value / 1000, self::LONGEST_RETRY_SECONDS);
                }
            }
            if ($data !== []) {
                ++$this->count;
                if (ctype_digit($this->id)) {
                    $this->lastId = (int) $this->id;
                }
                yield implode("\n", $data);
            }
        }
    }
}
