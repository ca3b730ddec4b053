//go:build tools

// Helm keeps a module of its own: it raises versions (grpc among them) that the control plane pins.
package tools

import _ "helm.sh/helm/v4/cmd/helm"
