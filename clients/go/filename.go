package beatmarket

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// File systems accept 255 bytes of UTF-8; a running download needs some of them for ".part".
const longestName = 200

// safeFilename is a name for a file of this kind that stays in its folder on every file system. It differs from the
// names in taken, which are in lower case, by more than upper and lower case.
func safeFilename(filename, kind string, taken map[string]bool) string {
	name := cleaned(filename)
	if name == "" {
		name = cleaned(kind)
	}
	if name == "" {
		name = "file"
	}
	if isDeviceOfWindows(name) {
		name = "_" + name
	}
	name = clipped(name)
	// File systems of Windows and macOS do not distinguish upper case from lower case.
	for taken[strings.ToLower(name)] {
		name = cleaned(kind) + " " + name
	}
	return name
}

func cleaned(text string) string {
	return strings.Trim(strings.Map(safe, strings.ToValidUTF8(text, "\ufffd")), " .")
}

// safe replaces separators, characters that Windows refuses, control characters, and those that change the direction of text.
func safe(r rune) rune {
	turnsText := r == 0x200e || r == 0x200f || (r >= 0x202a && r <= 0x202e) || (r >= 0x2066 && r <= 0x2069)
	if turnsText || unicode.IsControl(r) || strings.ContainsRune(`/\:*?"<>|`, r) {
		return '_'
	}
	return r
}

// isDeviceOfWindows says whether a name is one of Windows's devices, whatever its extension.
func isDeviceOfWindows(name string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	if len(stem) == 4 && stem[3] >= '1' && stem[3] <= '9' {
		return stem[:3] == "com" || stem[:3] == "lpt"
	}
	return slices.Contains([]string{"con", "prn", "aux", "nul"}, stem)
}

// clipped shortens a name that is too long, between two characters. It keeps an extension of at most ten characters.
func clipped(name string) string {
	if len(name) <= longestName {
		return name
	}
	extension := filepath.Ext(name)
	if length := utf8.RuneCountInString(extension); length < 2 || length > 11 {
		extension = ""
	}
	end := longestName - len(extension)
	for !utf8.RuneStart(name[end]) {
		end--
	}
	return name[:end] + extension
}
