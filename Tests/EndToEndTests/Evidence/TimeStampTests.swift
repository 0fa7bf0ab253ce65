import Foundation
import Router
import TestSupport
import Testing

/// Anchors signed by a time-stamping authority, made with openssl(1).
@Suite(.timeLimit(.minutes(10)))
struct TimeStampTests {
  /// Makes a certificate authority and the key of a time-stamping authority, and serves it.
  private func authority(_ log: EvidenceLog) async throws -> HTTPCollector {
    try log.directory.write(
      """
      [tsa]
      default_tsa = this
      [this]
      serial = \(log.directory.file("serial"))
      signer_cert = \(log.directory.file("tsa.pem"))
      signer_key = \(log.directory.file("tsa.key"))
      signer_digest = sha256
      default_policy = 1.3.6.1.4.1.1
      digests = sha256
      ess_cert_id_alg = sha256
      [stamping]
      extendedKeyUsage = critical,timeStamping
      """, to: "tsa.cnf")
    try await log.shell(
      """
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=Test -days 2 -keyout ca.key -out ca.pem
      openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=Stamps -keyout tsa.key -out tsa.csr
      openssl x509 -req -in tsa.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile tsa.cnf -extensions stamping -out tsa.pem
      """)
    let directory = log.directory.path
    return try HTTPCollector { path, query in
      guard path == "/stamp" else { return (404, Array("no such authority".utf8)) }
      let name = "\(directory)/\(UUID().uuidString)"
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = [
        "-c", "openssl ts -reply -config '\(directory)/tsa.cnf' -queryfile \(name).tsq -out \(name).tsr 2>/dev/null",
      ]
      do {
        try Data(query).write(to: URL(filePath: name + ".tsq"))
        try process.run()
        process.waitUntilExit()
        return (200, try [UInt8](Data(contentsOf: URL(filePath: name + ".tsr"))))
      } catch {
        return (500, Array("\(error)".utf8))
      }
    }
  }

  @Test func `keeps a signed anchor, which verifies until the anchor is changed`() async throws {
    let log = try await EvidenceLog()
    let authority = try await authority(log)
    let (stamps, ca) = (log.directory.file("stamps"), log.directory.file("ca.pem"))
    let target = "tsa:http://127.0.0.1:\(authority.port)/stamp"
    let head = try await log.add(1)
    try await log.run("anchor", "--to", target, "--keep", stamps, "--tsa-ca", ca)
    let names = try FileManager.default.contentsOfDirectory(atPath: stamps).sorted()
    #expect(names.count == 2 && names[0].hasSuffix("-\(head.seq).json") && names[1].hasSuffix("-\(head.seq).tsr"))
    // The stamp is one that openssl verifies without Router.
    try await log.shell("openssl ts -verify -data stamps/*.json -in stamps/*.tsr -CAfile ca.pem")
    let output = try await log.run("verify", "--anchors", stamps, "--tsa-ca", ca)
    #expect(
      output.contains("1 anchor matches, up to event \(head.seq).") && output.contains("1 time stamp is valid."), "\(output)")

    // Another authority's certificates do not fit, and neither does another head, though it is one of the log.
    let stranger = try await log.failure("verify", "--anchors", stamps, status: 8)
    #expect(stranger.contains("time stamp") && stranger.contains("openssl: "), "\(stranger)")
    _ = try await log.add(1)
    let line = try #require(try await log.run("anchor", "--to", "file:\(log.directory.file("heads.jsonl"))").first)
    try log.directory.write(line + "\n", to: "stamps/" + names[0])
    let changed = try await log.failure("verify", "--anchors", stamps, "--tsa-ca", ca, status: 8)
    #expect(changed.contains("\(names[1]) of ") && changed.contains("\(names[0]) cannot be verified: "), "\(changed)")
  }

  @Test func `refuses a reply that is not a stamp of this anchor, and keeps nothing`() async throws {
    let log = try await EvidenceLog()
    let authority = try await authority(log)
    let liar = try HTTPCollector { _, _ in (200, Array("a stamp".utf8)) }
    for (port, path) in [(authority.port, "/other"), (liar.port, "/stamp")] {
      let error = try await log.failure(
        "anchor", "--to", "tsa:http://127.0.0.1:\(port)\(path)", "--keep", log.directory.file("stamps"),
        "--tsa-ca", log.directory.file("ca.pem"), status: 69)
      #expect(error.contains(path == "/other" ? "404: no such authority" : "openssl: "), "\(error)")
    }
    // A genuine stamp of an authority that the certificates do not vouch for.
    let error = try await log.failure(
      "anchor", "--to", "tsa:http://127.0.0.1:\(authority.port)/stamp", "--keep", log.directory.file("stamps"), status: 69)
    #expect(error.contains("openssl: "), "\(error)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: log.directory.file("stamps")) == [])
  }
}
