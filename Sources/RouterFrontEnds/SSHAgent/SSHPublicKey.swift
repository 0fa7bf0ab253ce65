import FoundationEssentials
import Router

/// A public key in its wire format.
struct SSHPublicKey: Hashable {
  let blob: [UInt8]

  init(_ blob: [UInt8]) { self.blob = blob }

  /// The fingerprint as ssh-keygen prints it: `SHA256:…`.
  var fingerprint: String {
    let text = Data(Cryptography.sha256(blob)).base64EncodedString()
    return "SHA256:" + String(decoding: text.utf8.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
  }

  /// The kind of key, such as `ssh-ed25519`; `nil` if the key is malformed.
  var kind: String? {
    var reader = SSHReader(blob)
    return reader.string().map { String(showing: $0) }
  }

  /// The key as in files of OpenSSH.
  var base64: String { Data(blob).base64EncodedString() }
}
