<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Exception;

/**
 * 410. For changes and events: the entries after a position are no longer kept; load an export, or begin the events
 * without a position. For an archive: the order was refunded in full. For any other download: the link was refused, and
 * so was the new one that the client requested.
 */
final class GoneException extends APIStatusException
{
}
