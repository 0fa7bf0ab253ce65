import Glibc

/// This machine's name (gethostname(2)); `nil` if it cannot be read.
package var hostName: String? {
  var name = [CChar](repeating: 0, count: 256)
  guard gethostname(&name, 255) == 0 else { return nil }
  return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
