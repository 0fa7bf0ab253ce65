import FoundationEssentials
import Glibc

extension Error {
  /// What the system said about a file: the text of the error number in an error of Foundation, which has a text for developers.
  package var systemReason: String {
    guard let code = ((self as? CocoaError)?.underlying as? POSIXError ?? self as? POSIXError)?.code else { return "\(self)" }
    return String(cString: strerror(code.rawValue))
  }
}
