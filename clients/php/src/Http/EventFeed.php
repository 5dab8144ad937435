<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Response;

/**
 * Reads server-sent events out of the connections of a stream, one after the other
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 *
 * @internal
 */
final class EventFeed extends Download
{
    /** A stream that is alive has a byte every 15 seconds. */
    public const QUIET_SECONDS = 45;
    private const FIRST_RETRY_SECONDS = 3.0;
    private const LONGEST_RETRY_SECONDS = 60.0;

    /** How long the service asks to wait before the next connection. */
    public float $retrySeconds = self::FIRST_RETRY_SECONDS;

    private string $rest = '';
    private bool $isFirstLine = true;
    private string $id = '';

    /** @var list<string> */
    private array $data = [];
    private bool $hasAdvanced = false;

    /**
     * @param int|null $lastId   of the last event that came
     * @param int|null $position of the latest event
     */
    public function __construct(public ?int $lastId, public ?int $position)
    {
        parent::__construct(static function (string $bytes): void {
            \Fiber::suspend($bytes);
        });
    }

    public function headers(): array
    {
        $own = ['Accept' => 'text/event-stream', 'Accept-Encoding' => 'identity'];

        // An id that is sent counts instead of the query's `after`.
        return $this->lastId === null ? $own : $own + ['Last-Event-ID' => (string) $this->lastId];
    }

    public function begin(Response $response): bool
    {
        $isStream = $response->status === 200 && str_starts_with($response->header('content-type') ?? '', 'text/event-stream');
        if ($isStream) {
            $this->begun = $response;
            [$this->rest, $this->isFirstLine, $this->id, $this->data] = ['', true, '', []];
            $this->retrySeconds = self::FIRST_RETRY_SECONDS;
        }

        return $isStream;
    }

    public function hasAdvanced(): bool
    {
        [$hasAdvanced, $this->hasAdvanced] = [$this->hasAdvanced, false];

        return $hasAdvanced;
    }

    /**
     * The data of the events that are complete with these bytes.
     *
     * @return \Generator<int, string>
     */
    public function events(string $bytes): \Generator
    {
        $text = $this->rest . $bytes;
        $held = str_ends_with($text, "\r") ? "\r" : ''; // It may be half of a line break.
        $lines = preg_split('/\r\n|\r|\n/', substr($text, 0, strlen($text) - strlen($held))) ?: [''];
        $this->rest = array_pop($lines) . $held;
        foreach ($lines as $line) {
            $line = $this->isFirstLine && str_starts_with($line, "\u{FEFF}") ? substr($line, 3) : $line;
            $this->isFirstLine = false;
            if ($line !== '') {
                $this->field($line);
                continue;
            }
            [$data, $this->data] = [$this->data, []];
            if ($data !== []) {
                $this->hasAdvanced = true;
                if (ctype_digit($this->id)) {
                    $this->lastId = $this->position = (int) $this->id;
                }
                yield implode("\n", $data);
            }
        }
    }

    private function field(string $line): void
    {
        [$name, $value] = explode(':', $line, 2) + [1 => ''];
        $value = str_starts_with($value, ' ') ? substr($value, 1) : $value;
        if ($name === 'data') {
            $this->data[] = $value;
        } elseif ($name === 'id' && !str_contains($value, "\0")) {
            $this->id = $value;
        } elseif ($name === 'retry' && ctype_digit($value)) {
            $this->retrySeconds = min((float) $value / 1000, self::LONGEST_RETRY_SECONDS);
        }
    }
}
