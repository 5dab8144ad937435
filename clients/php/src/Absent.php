<?php

declare(strict_types=1);

namespace BeatMarket;

/** Says that a field is not sent at all, where null would clear it: the default of each field of an update. */
enum Absent
{
    case Field;
}
