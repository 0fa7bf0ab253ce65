extension String {
  /// The text quoted as one word of a POSIX shell.
  package var shellQuoted: String {
    let isPlain = !isEmpty && utf8.allSatisfy { $0.lowercasedASCII.isSmallLetter || "0123456789/._-+".utf8.contains($0) }
    return isPlain ? self : "'" + replacing(each: "'", with: #"'\''"#) + "'"
  }
}
