# docker buildx bake --file images/docker-bake.hcl --push

variable "REGISTRY" {
  default = "ghcr.io/cluster-hibernation-service"
}

variable "TAG" {
  default = "0.12.44"
}

variable "REVISION" {
  default = ""
}

variable "SOURCE" {
  default = ""
}

group "default" {
  targets = ["image"]
}

target "image" {
  name       = process
  matrix     = { process = ["controller", "api", "frontend", "satellite"] }
  context    = "."
  dockerfile = "images/Dockerfile"
  target     = process
  tags       = ["${REGISTRY}/${process}:${TAG}"]
  platforms  = ["linux/amd64", "linux/arm64"]
  attest     = ["type=provenance,mode=max", "type=sbom"]
  labels = {
    "org.opencontainers.image.title"    = "svc ${process}"
    "org.opencontainers.image.version"  = TAG
    "org.opencontainers.image.revision" = REVISION
    "org.opencontainers.image.source"   = SOURCE
    "org.opencontainers.image.licenses" = "Apache-2.0"
  }
}
